import type { RunLaunched } from '#domain/signal-launches/launch.events.js';
import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import { employersOf } from './observed-facts.js';
import type { Detector, DetectorSources, Match } from './detector.js';
import { matchPage } from './match-page.js';

const DAY_MS = 86_400_000;
const TEXTS_A_READ = 100;
/** Reads of one page: past them it ends with what it has, so that a filter few texts pass leaves a trace. */
const READS_A_PAGE = 20;

/** The texts that a launch looks at, and what it makes of each. */
export type TextSearch<Text, Position> = {
  /** The position after which exactly the newest `count` texts follow; null when there are no more than that. */
  readonly beforeNewest: (count: number) => Promise<Position | null>;
  /** Reads at most `limit` texts behind a position, oldest first; leaves out those that no match can come from. */
  readonly read: (
    position: Position | null,
    limit: number,
  ) => Promise<{ readonly texts: readonly Text[]; readonly next: Position | null }>;
  readonly positionOf: (text: Text) => Position;
  readonly subjectOf: (text: Text) => string;
  /** The person whom a match names, if any. */
  readonly personOf: (text: Text) => PersonFacts | null;
  /** null where the text is passed over. `employers` has the companies that its person works or worked at. */
  readonly matchOf: (text: Text, employers: ReadonlyMap<string, CompanyFacts>) => Match | null;
};

/** Looks at texts oldest first; `max_posts_to_scrape` keeps the newest of the window. */
export function textDetector<Text, Position>(
  searchOf: (sources: DetectorSources, launch: RunLaunched) => TextSearch<Text, Position>,
): Detector {
  return async (sources, launch, cursor, limit, known) => {
    const { beforeNewest, read, positionOf, subjectOf, personOf, matchOf } = searchOf(sources, launch);
    const most = launch.parameters['max_posts_to_scrape'];
    const start = async (): Promise<Position | null> =>
      typeof most === 'number' ? beforeNewest(most) : null;
    let position: Position | null = cursor === null ? await start() : JSON.parse(cursor);
    const { matches, take } = matchPage(limit);
    const page = (more: boolean) => ({ matches, cursor: JSON.stringify(position), more });
    for (let reads = 1; ; reads += 1) {
      const { texts, next } = await read(position, TEXTS_A_READ);
      const seen = await known(texts.map(subjectOf));
      const employers = await employersOf(sources.directory, texts.map(personOf));
      for (const text of texts) {
        const match = seen.has(subjectOf(text)) ? null : matchOf(text, employers);
        if (match === null) continue;
        if (!take(match)) return page(true);
        position = positionOf(text);
      }
      if (next === null) return page(false);
      position = next;
      if (reads >= READS_A_PAGE) return page(true);
    }
  };
}

/** The time that a launch looks back over. */
export function lookbackOf({ now, lookbackDays }: RunLaunched): {
  /** Exclusive. */
  readonly after: Date;
  /** Inclusive. */
  readonly until: Date;
} {
  const until = new Date(now);
  return { after: new Date(until.getTime() - lookbackDays * DAY_MS), until };
}
