import { randomUUID } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import type { EventStore, NewEvent } from '#kernel/ports/event-store.port.js';
import { sampleDetection } from '#projections/testing/sample-events.js';
import { timed } from './bench.js';

const BATCH = 250;
const START_MS = 1_767_225_600_000;
const WORKSPACE_ID = '1';

/** Appends the events that `make` returns for 1 to `count` to one stream, in batches. */
export async function appendAll(
  events: EventStore,
  stream: string,
  count: number,
  make: (number: number) => readonly NewEvent[],
): Promise<void> {
  let revision: bigint | 'no-stream' = 'no-stream';
  for (let first = 1; first <= count; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count + 1 - first) }, (_, index) =>
      make(first + index),
    ).flat();
    revision = (await events.append(stream, revision, batch)).revision;
  }
}

/** P: every event read with the driver and parsed, and nothing else. */
export async function plainRead(path: string): Promise<{ readonly events: number; readonly ms: number }> {
  const db = new DatabaseSync(path, { readOnly: true });
  const text = ['data', 'metadata'] as const;
  const statement = db.prepare('SELECT data, metadata FROM recorded_events ORDER BY position');
  let events = 0;
  const ms = await timed(() => {
    for (const row of statement.iterate()) {
      for (const column of text) JSON.parse(String(row[column]));
      events += 1;
    }
  });
  db.close();
  return { events, ms };
}

/** A charge of a launch: its hold and its capture. */
export function movementEvents(movementId: number): readonly [NewEvent, NewEvent] {
  const metadata = metadataOf(movementId);
  const key = `launch:1:post:${movementId}`;
  const cause = { kind: 'signal', launchId: 1, runId: 1, setupId: 1, subject: `post:${movementId}` };
  const held = {
    movementId,
    key,
    credits: '10000000',
    product: 'discovery_essential',
    payer: 'workspace',
    cause,
  };
  return [
    { id: randomUUID(), type: 'CreditsHeld', data: held, metadata },
    { id: randomUUID(), type: 'CreditsCaptured', data: { movementId, key }, metadata },
  ];
}

/** The paid detection of the charge with that number. */
export function detectionEvents(detectionId: number): readonly NewEvent[] {
  const subject = `post:${detectionId}`;
  const data = sampleDetection({ detectionId, movementId: detectionId, subject });
  return [{ id: randomUUID(), type: 'SignalDetected', data, metadata: metadataOf(detectionId) }];
}

function metadataOf(number: number): NewEvent['metadata'] {
  return {
    workspaceId: WORKSPACE_ID,
    actorKind: 'process',
    actorId: 'bench',
    commandId: randomUUID(),
    correlationId: randomUUID(),
    recordedAt: new Date(START_MS + number).toISOString(),
    schemaVersion: '1',
  };
}
