import {
  AppendTooLarge,
  WrongExpectedRevision,
  type EventStore,
  type StoredEvent,
  type StreamAppend,
} from '#kernel/ports/event-store.port.js';
import type { CopyDestination, CopySource, SourceSurvey } from './copy-ends.js';
import {
  destinationHoldsOther,
  destinationWritten,
  eventDoesNotFit,
  streamChangedOnServer,
} from './copy-refusals.js';
import { eventLine, placeOf } from './event-line.js';
import { proveEqual } from './prove-equal.js';
import { collectWave } from './wave.js';

export type CopyPhase = 'looking through the source' | 'comparing what is there' | 'copying' | 'verifying';
/** `total` is null while nobody knows it; `perSecond` counts from the beginning of the phase. */
export type CopyProgress = {
  readonly phase: CopyPhase;
  readonly done: number;
  readonly total: number | null;
  readonly perSecond: number;
};

export type CopyResult = {
  /** Events of ours in the source, and now in the destination. */
  readonly events: number;
  /** How many of them an earlier run had written. */
  readonly alreadyThere: number;
  readonly copied: number;
  readonly leftOut: SourceSurvey['leftOut'];
  /** Of every event in order, on both sides, read back: see `eventLine`. */
  readonly sha256: string;
};

/**
 * Makes the destination the same history as the source: streams, revisions, ids, payloads, metadata and the order
 * of everything. Stopped at any moment it goes on where it was: what stands in the destination is compared event
 * by event with the beginning of the source, and the rest is written behind it. Holds one wave of events at a time.
 * Throws the refusals of `copy-refusals.ts`; `StoreUnavailable` when a store fails, which may be tried again.
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

  const survey = await source.survey(phase('looking through the source', null));
  await refuseChangedStreams(source, survey.changed);

  const reading = eachEvent(source);
  try {
    const compared = phase('comparing what is there', survey.events);
    let alreadyThere = 0;
    for await (const there of eachEvent(destination)) {
      const { value: wanted } = await reading.next();
      if (wanted === undefined || eventLine(wanted) !== eventLine(there)) {
        throw destinationHoldsOther({ members: placeOf(there) });
      }
      alreadyThere += 1;
      compared(alreadyThere);
    }
    const copied = await writeRest(reading, destination, alreadyThere, phase('copying', survey.events));
    const proof = await proveEqual(
      eachEvent(source),
      eachEvent(destination),
      phase('verifying', survey.events),
    );
    return { events: proof.events, alreadyThere, copied, leftOut: survey.leftOut, sha256: proof.sha256 };
  } finally {
    await reading.return(undefined);
  }
}

/** Only what is ours counts: others may cut their own streams as they like. */
async function refuseChangedStreams(source: CopySource, changed: ReadonlyMap<string, string>): Promise<void> {
  if (changed.size === 0) return;
  for await (const { stream } of eachEvent(source)) {
    const what = changed.get(stream);
    if (what !== undefined) throw streamChangedOnServer({ members: { stream, what } });
  }
}

async function writeRest(
  reading: AsyncGenerator<StoredEvent>,
  destination: CopyDestination,
  alreadyThere: number,
  report: (done: number) => void,
): Promise<number> {
  const wave = collectWave(destination.limits);
  let copied = 0;
  const write = async (): Promise<void> => {
    const events = wave.events();
    if (events === 0) return;
    await writeInOrder(destination, wave.flush());
    copied += events;
    report(alreadyThere + copied);
  };
  report(alreadyThere);
  for (let next = await reading.next(); next.done !== true; next = await reading.next()) {
    if (wave.take(next.value)) continue;
    await write();
    wave.take(next.value);
  }
  await write();
  return copied;
}

async function writeInOrder(destination: CopyDestination, appends: readonly StreamAppend[]): Promise<void> {
  try {
    await destination.write(appends);
  } catch (error) {
    if (error instanceof WrongExpectedRevision) {
      const { stream, expected, actual } = error;
      const at = (revision: typeof expected): bigint => (revision === 'no-stream' ? -1n : revision);
      // The destination holds all that came before: what it lacks, the source did not have either.
      throw at(actual) < at(expected)
        ? streamChangedOnServer({ members: { stream, what: `event ${at(actual) + 1n} is gone` } })
        : destinationWritten({ members: { stream, revision: String(at(actual)) } });
    }
    // What an adapter says of a name, an id or a size that its store does not take.
    if (error instanceof AppendTooLarge || error instanceof TypeError || error instanceof RangeError) {
      throw eventDoesNotFit({ members: { reason: error.message } });
    }
    throw error;
  }
}

async function* eachEvent(store: Pick<EventStore, 'readAll'>): AsyncGenerator<StoredEvent, undefined> {
  for await (const { events } of store.readAll()) yield* events;
}
