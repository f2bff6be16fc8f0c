import type { Commands } from '#kernel/commands/commands.js';
import { unlaunched, type LaunchFacts, type Ready } from '#signals/domain/launches/prepare-launch.js';
import { earlierSubjects } from '#signals/detection/earlier-launches.js';
import type { ResearchLimits } from '#signals/detection/research/researcher.port.js';
import type { DetectorPage } from '#signals/detection/search-page.js';
import type { DetectionHost } from '#signals/detection/unread-run.js';
import { candidatePages } from '#signals/launching/candidate-pages.js';

/** What counting candidates needs from its host. */
export type CountingHost = Omit<DetectionHost, 'researcher'> & {
  readonly commands: Commands;
  /** The limits of the researcher; null: unlimited. */
  readonly researchLimits: ResearchLimits | null;
};

/** A launch that could be made. */
export type Countable = Pick<LaunchFacts, 'trigger' | 'now' | 'lookbackDays'> & {
  readonly workspaceId: number;
  readonly ready: Ready;
};

/** The limits of a count: candidates, and real time. */
const MOST_CANDIDATES = 20_000;
const MOST_MS = 2_000;

/** Why a count differs from the result of a launch. */
export const INEXACT = ['too_many', 'too_long', 'research', 'incomplete'] as const;
export type Inexact = (typeof INEXACT)[number];

/** The candidates of a launch made now. If inexact, the count at the moment when counting stopped. */
export type Counted = {
  /** All matches, including those found before. */
  readonly candidates: number;
  /** Matches that no earlier launch has found. */
  readonly fresh: number;
  readonly free: number;
  readonly priced: number;
  /** Distinct charge keys of priced matches: each is paid for once. */
  readonly charges: number;
  /** null: exact, as long as nothing is ingested, covered or launched. */
  readonly inexact: Inexact | null;
};

/**
 * Counts the candidates of a launch, page by page like its runs, and writes nothing (QUO-01). The researcher is not
 * asked: each company that it would be asked about counts as one priced candidate.
 */
export async function countCandidates(host: CountingHost, about: Countable): Promise<Counted> {
  const { workspaceId, ready } = about;
  const launch = unlaunched(ready, about);
  const timeout = AbortSignal.timeout(MOST_MS);
  const before = new Set<string>();
  const found = new Set<string>();
  const charges = new Set<string>();
  let [free, priced, asked] = [0, 0, 0];
  const known = async (subjects: readonly string[]): Promise<ReadonlySet<string>> => {
    const earlier = await earlierSubjects(host, { workspaceId, source: ready.source }, subjects);
    for (const subject of earlier) before.add(subject);
    return new Set([...earlier, ...subjects.filter((subject) => found.has(subject))]);
  };
  const researcher = {
    limits: host.researchLimits,
    research: async () => {
      asked += 1;
      return { outcome: 'unanswered' } as const;
    },
  };
  const counted = (inexact: Inexact | null): Counted => {
    const fresh = found.size + asked;
    const candidates = before.size + fresh;
    return { candidates, fresh, free, priced: priced + asked, charges: charges.size + asked, inexact };
  };
  const count = ({ matches }: DetectorPage): void => {
    for (const match of matches) {
      if (found.has(match.subject)) continue;
      found.add(match.subject);
      if (!match.priced) free += 1;
      else {
        priced += 1;
        charges.add(match.chargeKey);
      }
    }
  };
  let isIncomplete = false;
  const pages = candidatePages(
    { ...host, researcher },
    { workspaceId, launch, directions: ready.directions, known, signal: timeout },
  );
  for await (const page of pages) {
    count(page);
    isIncomplete ||= page.incomplete !== undefined;
    if (before.size + found.size + asked > MOST_CANDIDATES) return counted('too_many');
    if (timeout.aborted) return counted('too_long');
  }
  if (asked > 0) return counted('research');
  return counted(isIncomplete ? 'incomplete' : null);
}
