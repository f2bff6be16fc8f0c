import { randomUUID } from 'node:crypto';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { NewEvent } from '#kernel/ports/event-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import { inPieces } from '#kernel/values/pieces.js';
import { monthFrom } from '#monitoring/domain/months-facts.js';
import { projections } from '#projections/index.js';
import type { TestService } from '../support/service.js';

type Host = TestService['service']['host'];

const PERSONA = 1;
const APPENDS_AT_ONCE = 400;
const CATCH_UP_MS = 300_000;

/** Workspaces, and how many accounts each monitors for one business unit. */
export type UnitsOf = { readonly workspaceId: number; readonly size: number };

/**
 * Writes wanted accounts, each in a month that cost nothing: for every workspace their ends are spread evenly over a
 * time from `since` on. Ends when the read models have caught up.
 */
export async function writeUnits(
  host: Host,
  all: readonly UnitsOf[],
  { since, overMs }: { readonly since: Date; readonly overMs: number },
): Promise<void> {
  const units = all.flatMap(({ workspaceId, size }) =>
    Array.from({ length: size }, (_, place) => ({
      workspaceId,
      endsAt: new Date(since.getTime() + Math.floor((place * overMs) / size)),
    })),
  );
  const companyIds = await host.ids.nextMany('company', units.length);
  const placed = units.map((unit, index) => ({ ...unit, companyId: companyIds[index] ?? 0 }));
  for (const piece of inPieces(placed, APPENDS_AT_ONCE)) {
    await Promise.all(
      piece.map(({ workspaceId, companyId, endsAt }) =>
        host.eventStore.append(
          `monitoring-${workspaceScoped(workspaceId, companyId)}`,
          'no-stream',
          eventsOf(workspaceId, companyId, endsAt),
        ),
      ),
    );
  }
  await caughtUp(host);
}

function eventsOf(workspaceId: number, companyId: number, endsAt: Date): readonly NewEvent[] {
  const start = new Date(endsAt);
  start.setUTCMonth(start.getUTCMonth() - 1);
  const { until, anchorDay } = monthFrom(start.toISOString());
  const from = start.toISOString();
  const source = { kind: 'pick', accountId: companyId };
  const event = (type: string, data: JsonObject): NewEvent => ({
    id: randomUUID(),
    type,
    data,
    metadata: {
      workspaceId: String(workspaceId),
      actorKind: 'process',
      actorId: 'bench',
      commandId: `bench:${companyId}`,
      correlationId: 'bench',
      recordedAt: from,
      schemaVersion: '1',
    },
  });
  return [
    event('MonitoringWanted', { personaId: PERSONA, source, wantedAt: from }),
    event('MonitoringMonthFree', { personaId: PERSONA, from, until, anchorDay }),
  ];
}

async function caughtUp(host: Host): Promise<void> {
  const types = [...new Set(projections.flatMap(({ on }) => Object.keys(on)))];
  const position = await host.eventStore.head();
  if (!(await host.progress.reached({ position, types, workspaceId: null }, CATCH_UP_MS))) {
    throw new Error('the read models did not catch up');
  }
}
