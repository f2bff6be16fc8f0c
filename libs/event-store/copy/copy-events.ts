import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { isShortLived } from '#kernel/ports/short-lived.js';
import type { CopyDestination, CopySource, SourceSurvey } from './copy-ends.js';
import { destinationHoldsOther, streamChangedOnServer } from './copy-refusals.js';
import { eventLine, placeOf } from './event-line.js';
import { lastingEvents, shortLivedStreams } from './lasting-events.js';
import { proveEqual } from './prove-equal.js';
import { writeEvents } from './write-events.js';

export type CopyPhase = 'reading the source' | 'comparing existing records' | 'copying' | 'verifying';
/** `total` is null while unknown; `perSecond` counts from the beginning of the phase. */
export type CopyProgress = {
  readonly phase: CopyPhase;
  readonly done: number;
  readonly total: number | null;
  readonly perSecond: number;
};

export type CopyResult = {
  /** Our events in the source, and now in the destination. */
  readonly events: number;
  /** The number of them that an earlier run wrote. */
  readonly alreadyThere: number;
  readonly copied: number;
  readonly leftOut: SourceSurvey['leftOut'];
  /** Of every event in order, on both sides, read back: see `eventLine`. */
  readonly sha256: string;
};

/**
 * Copies the history of the source: streams, revisions, ids, payloads, metadata and the global order. After a stop at
 * any moment a new run continues: the events in the destination are compared one by one with the beginning of the
 * source, and the rest is written after them. Short-lived events are copied, but neither compared nor counted. One
 * wave of events is in memory at a time. Throws the refusals of `copy-refusals.ts`; `StoreUnavailable` if a store
 * fails, which may be retried.
 */
export async function copyEvents(
  source: CopySource,
  destination: CopyDestination,
  onProgress: (progress: CopyProgress) => void = () => undefined,
): Promise<CopyResult> {
  const phase = (name: CopyPhase, total: number | null): ((done: number) => void) => {
    const startedAt = performance.now();
    let before: number | null = null;
    return (done) => {
      before ??= name === 'copying' ? done : 0;
      const seconds = (performance.now() - startedAt) / 1_000;
      onProgress({ phase: name, done, total, perSecond: seconds > 0 ? (done - before) / seconds : 0 });
    };
  };

  const survey = await source.survey(phase('reading the source', null));
  await refuseChangedStreams(source, survey.changed);

  const reading = eachEvent(source);
  try {
    const compared = phase('comparing existing records', survey.events);
    const shortLived = shortLivedStreams();
    let alreadyThere = 0;
    for await (const there of eachEvent(destination)) {
      if (isShortLived(there.stream)) {
        shortLived.learn(there);
        continue;
      }
      const wanted = await nextLasting(reading);
      if (wanted === undefined || eventLine(wanted) !== eventLine(there)) {
        throw destinationHoldsOther({ members: placeOf(there) });
      }
      alreadyThere += 1;
      compared(alreadyThere);
    }
    const copying = phase('copying', survey.events);
    await writeEvents(shortLived.carried(reading), destination, (written) => copying(alreadyThere + written));
    const proof = await proveEqual(
      lastingEvents(eachEvent(source)),
      lastingEvents(eachEvent(destination)),
      phase('verifying', survey.events),
    );
    return {
      events: proof.events,
      alreadyThere,
      copied: proof.events - alreadyThere,
      leftOut: survey.leftOut,
      sha256: proof.sha256,
    };
  } finally {
    await reading.return(undefined);
  }
}

/** Only our streams count: other programs may truncate their own streams. */
async function refuseChangedStreams(source: CopySource, changed: ReadonlyMap<string, string>): Promise<void> {
  if (changed.size === 0) return;
  for await (const { stream } of eachEvent(source)) {
    const what = changed.get(stream);
    if (what !== undefined) throw streamChangedOnServer({ members: { stream, what } });
  }
}

async function nextLasting(
  reading: AsyncGenerator<StoredEvent, undefined>,
): Promise<StoredEvent | undefined> {
  for (;;) {
    const { value } = await reading.next();
    if (value === undefined || !isShortLived(value.stream)) return value;
  }
}

async function* eachEvent(store: Pick<EventStore, 'readAll'>): AsyncGenerator<StoredEvent, undefined> {
  for await (const { events } of store.readAll()) yield* events;
  return undefined;
}
