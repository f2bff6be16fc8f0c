import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { eventLine } from './event-line.js';
import { lastingEvents } from './lasting-events.js';

/** A stream of which a backup has fewer events than the current log. */
export type ShortenedStream = {
  readonly stream: string;
  /** Events of the stream that both have. */
  readonly kept: bigint;
  /** Events of the stream in the current log. */
  readonly present: bigint;
};

/** The events that are lost when a backup replaces a log. */
export type LogLoss = {
  /** Events at the beginning that both have. */
  readonly common: number;
  readonly lostEvents: number;
  readonly firstLostAt: string | null;
  readonly lastLostAt: string | null;
  /** Watched streams that become shorter, or have other events in the backup. */
  readonly shortened: readonly ShortenedStream[];
  /** Events of the backup that the current log does not have. */
  readonly gained: number;
};

/** Compares two logs event by event from their beginnings; `watched` selects streams to count separately. */
export async function compareLogs(
  ofBackup: AsyncGenerator<StoredEvent, undefined>,
  ofPresent: AsyncGenerator<StoredEvent, undefined>,
  watched: (stream: string) => boolean,
  report: (done: number) => void,
): Promise<LogLoss> {
  const [backup, present] = [lastingEvents(ofBackup), lastingEvents(ofPresent)];
  let common = 0;
  let lostEvents = 0;
  let gained = 0;
  let firstLostAt: string | null = null;
  let lastLostAt: string | null = null;
  const shortened = new Map<string, ShortenedStream>();
  const lose = (event: StoredEvent): void => {
    const { stream, revision } = event;
    const recordedAt = event.metadata['recordedAt'] ?? null;
    lostEvents += 1;
    firstLostAt ??= recordedAt;
    lastLostAt = recordedAt ?? lastLostAt;
    if (!watched(stream)) return;
    const kept = shortened.get(stream)?.kept ?? revision;
    shortened.set(stream, { stream, kept, present: revision + 1n });
  };
  try {
    let [left, right] = await Promise.all([backup.next(), present.next()]);
    while (left.done !== true && right.done !== true && eventLine(left.value) === eventLine(right.value)) {
      common += 1;
      report(common);
      [left, right] = await Promise.all([backup.next(), present.next()]);
    }
    for (; left.done !== true; left = await backup.next()) gained += 1;
    for (; right.done !== true; right = await present.next()) {
      lose(right.value);
      report(common + lostEvents);
    }
  } finally {
    await Promise.all([backup.return(undefined), present.return(undefined)]);
  }
  return { common, lostEvents, firstLostAt, lastLostAt, shortened: [...shortened.values()], gained };
}
