import { START, StoreUnusable, type EventStore } from '#kernel/ports/event-store.port.js';
import type { Clock } from '#kernel/ports/clock.js';
import { LeaseLost, type ReadStore, type ViewShape } from '#kernel/ports/read-store.port.js';
import { firstEvent, identifyLog, logIdentity, LOG_STREAM } from '#kernel/commands/log-identity.js';
import { pause } from '#kernel/commands/retry.js';
import { holdLease, processHolder } from '#projection-engine/held-lease.js';

/** The log that the read models belong to: a record of the read store. */
type Claim = { readonly logId: string };

const KIND = 'log';
const KEY = 'identity';
const LEASE = 'log:identity';
const LOOK_AGAIN_MS = 20;

/**
 * Checks that the read store belongs to this log, and creates an identity of both if they have none yet. Rejects with
 * `StoreUnusable`, without a change, if they do not belong together.
 */
export async function claimReadStore(
  events: EventStore,
  reads: ReadStore,
  views: readonly ViewShape[],
  clock: Clock,
): Promise<string> {
  const claimed = await claimOf(reads);
  if (claimed !== null) return requireOwn(events, claimed, clock);
  if (await hasSeenEvents(reads, views)) await requireOld(events);
  // One process after the other: two services with different logs must not both find it free.
  for (;;) {
    const lease = await holdLease(reads, LEASE, processHolder());
    if (lease === null) {
      await pause(LOOK_AGAIN_MS);
      continue;
    }
    try {
      const meanwhile = await claimOf(reads);
      if (meanwhile !== null) return await requireOwn(events, meanwhile, clock);
      const logId = await identifyLog(events, clock);
      lease.fence();
      await reads.putRecord(KIND, KEY, { logId });
      return logId;
    } catch (error) {
      // This process was stopped for some seconds: another one may have claimed it.
      if (!(error instanceof LeaseLost)) throw error;
    } finally {
      await lease.release();
    }
  }
}

/** Refuses a start that would create a new log beside the read models of another log. */
export async function refuseToBegin(reads: ReadStore, views: readonly ViewShape[]): Promise<void> {
  const claimed = await claimOf(reads);
  if (claimed !== null) throw belongsToOther(claimed, null);
  if (await hasSeenEvents(reads, views)) throw belongsToNobody(null);
}

async function claimOf(reads: ReadStore): Promise<string | null> {
  return (await reads.getRecord<Claim>(KIND, KEY))?.logId ?? null;
}

async function requireOwn(events: EventStore, claimed: string, clock: Clock): Promise<string> {
  const logId = (await logIdentity(events)) ?? (await firstEvent(events))?.id ?? null;
  if (logId !== claimed) throw belongsToOther(claimed, logId);
  return identifyLog(events, clock);
}

/** Read models without identity are from an early version: a log that began with an identity is another one. */
async function requireOld(events: EventStore): Promise<void> {
  const first = await firstEvent(events);
  if (first === null || first.stream === LOG_STREAM) throw belongsToNobody(first?.id ?? null);
}

async function hasSeenEvents(reads: ReadStore, views: readonly ViewShape[]): Promise<boolean> {
  for (const view of views) {
    for (const generation of (await reads.generations(view)).all) {
      const checkpoint = await reads.checkpoint({ view, generation });
      if (checkpoint !== null && checkpoint.position !== START) return true;
    }
  }
  return false;
}

const WAYS_OUT = 'name its own event store, restore its log (store restore), or use an empty read store';

function belongsToOther(claimed: string, logId: string | null): StoreUnusable {
  return misplaced(`the log ${claimed}`, logId);
}

function belongsToNobody(logId: string | null): StoreUnusable {
  return misplaced('a log without identity', logId);
}

function misplaced(claimed: string, logId: string | null): StoreUnusable {
  const found = logId === null ? 'an empty log' : `the log ${logId}`;
  return new StoreUnusable(
    `READ_STORE_URL holds the read models of ${claimed}, EVENT_STORE_URL is ${found}: ${WAYS_OUT}`,
  );
}
