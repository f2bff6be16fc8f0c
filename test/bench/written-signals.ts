import { randomUUID } from 'node:crypto';
import type { NewEvent } from '#kernel/ports/event-store.port.js';
import {
  completedRun,
  employed,
  keywordAgent,
  observedPerson,
  observedPost,
} from '../support/observed-network.js';
import type { TestService } from '../support/service.js';

/** Ids of signals beyond those of any run of the bench. */
const FIRST_ID = 1_000_000_000;

/** Writes signals into the log like a run, without the detection. */
export type SignalWriter = {
  /**
   * This many signals of a workspace, in one append; returns their ids in the feed, and the time of durability (ms
   * since 1970).
   */
  readonly write: (
    workspaceId: number,
    count: number,
  ) => Promise<{ readonly ids: readonly string[]; readonly atMs: number }>;
};

/** Takes the signal of a real run as the pattern of all others. */
export async function signalWriter(service: TestService): Promise<SignalWriter> {
  const workspace = await service.workspace();
  await service.ingest([
    observedPerson('ana', employed('acme', 'VP Sales')),
    observedPost('pattern', 'ana', 'A CRM', new Date().toISOString()),
  ]);
  await completedRun(service, workspace, await keywordAgent(workspace, 'crm'));
  const { eventStore } = service.service.host;
  let pattern: NewEvent | null = null;
  for await (const { events } of eventStore.readAll({ types: ['SignalDetected'] }))
    pattern ??= events[0] ?? null;
  if (pattern === null) throw new Error('the run has found no signal');
  const { type, data, metadata } = pattern;
  let nextId = FIRST_ID;
  return {
    async write(workspaceId, count) {
      const events = Array.from({ length: count }, (): NewEvent => {
        nextId += 1;
        return {
          id: randomUUID(),
          type,
          data: { ...data, detectionId: nextId, subject: `post:bench-${nextId}` },
          metadata: { ...metadata, workspaceId: String(workspaceId), recordedAt: new Date().toISOString() },
        };
      });
      await eventStore.append(`signalRun-${workspaceId}_${nextId}`, 'no-stream', events);
      const atMs = performance.timeOrigin + performance.now();
      return { ids: events.map(({ id }) => `evt_${id.replaceAll('-', '')}_0`), atMs };
    },
  };
}
