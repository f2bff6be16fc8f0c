import { isJsonObject, type JsonValue } from '#kernel/values/json.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type { DetectorRun, DetectorRead } from '#signals/detection/detector.js';
import type { Finding } from '#signals/detection/finding.js';
import { windowOf } from '#signals/detection/window.js';
import { isUpTo, type Companies } from './companies-of-market.js';
import { textOf, type Passage } from './passage.js';
import { mentionedCompanies, passagesAbout } from './passages.js';
import { researchFinding, subjectOf } from './research-finding.js';
import { reportedAnswers, type Question, type ResearchLimits } from './researcher.port.js';
import type { Statements } from './statements.js';
import { reportedRefsOf } from '#network/resolution.js';

/** The progress of a run. */
export type ResearchProgress = {
  /** The last completed company; null: none. */
  readonly after: string | null;
  /** The number of questions asked. */
  readonly asked: number;
  /** Questions in a row that could not be asked. */
  readonly failed: number;
  /** After the last of all companies the run goes on from the first one up to this one; null: it ends. */
  readonly wrapsTo: string | null;
  /** The last company to ask about, once the run has begun again at the first; null: the last of all. */
  readonly upTo: string | null;
};

/** A company about which the question was asked, and the finding. */
export type AskedCompany = { readonly position: ResearchProgress; readonly finding: Finding | null };

export type Asking = {
  readonly run: DetectorRun<unknown>;
  readonly question: Question;
  readonly statements: Statements;
  readonly companies: Companies;
};

/** If asking is free. */
const FREE_QUESTIONS_AT_ONCE = 50;
/** A run stops asking after this many questions in a row that could not be asked. */
const MOST_FAILED = 5;
/** A read that finds no company to ask about continues this many times. */
const LOOKS_A_READ = 10;

const BEGINNING: ResearchProgress = { after: null, asked: 0, failed: 0, wrapsTo: null, upTo: null };

export function progressOf(position: JsonValue): ResearchProgress {
  if (!isJsonObject(position)) return BEGINNING;
  const { after, asked, failed, wrapsTo, upTo } = position;
  return {
    after: textOrNull(after),
    asked: Number(asked),
    failed: Number(failed),
    wrapsTo: textOrNull(wrapsTo),
    upTo: textOrNull(upTo),
  };
}

const textOrNull = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' ? value : null;

/**
 * Where a run begins: at the first company; or if the previous run stopped asking, with the companies about which that
 * one did not ask any more (D-83), and after the last of all goes on from the first. Otherwise companies whose answer
 * is no, which is never recorded, would use all questions of each run.
 */
export function firstProgress(limits: ResearchLimits, previousEnd: JsonValue): ResearchProgress {
  const { after, asked, failed } = progressOf(previousEnd);
  const hasStopped = asked >= limits.questionsPerRun || failed >= MOST_FAILED;
  return hasStopped ? { ...BEGINNING, after, wrapsTo: after } : BEGINNING;
}

/** Asks about the next companies, as many as may be asked at once. */
export async function askCompanies(
  asking: Asking,
  progress: ResearchProgress,
): Promise<DetectorRead<AskedCompany>> {
  const { limits } = asking.run.researcher;
  const questionsLeft = questionsLeftOf(limits, progress);
  if (questionsLeft <= 0) return { items: [], next: null };
  let place = progress;
  for (let looks = 0; looks < LOOKS_A_READ; looks += 1) {
    const { companies, rest } = await companiesAt(asking, place);
    const candidates = await firstCandidates(asking, companies, questionsLeft);
    if (candidates.length > 0) {
      const { items, isUnavailable } = await ask(asking, candidates, place);
      const end = items.at(-1)?.position ?? place;
      const { asked, failed } = end;
      return {
        items,
        next: candidates.length === questionsLeft ? end : rest && { ...rest, asked, failed },
        // Answers have a cost, so they are stored before more questions are asked.
        ...(limits !== null && { endsPage: true }),
        ...(isUnavailable && { incomplete: 'research_unavailable' }),
      };
    }
    if (rest === null) return { items: [], next: null };
    place = rest;
  }
  return { items: [], next: place };
}

/** The next companies, and where the run goes on after them; `rest` null: these are the last. */
async function companiesAt(
  { companies }: Pick<Asking, 'companies'>,
  place: ResearchProgress,
): Promise<{ readonly companies: readonly CompanyFacts[]; readonly rest: ResearchProgress | null }> {
  const { after, wrapsTo, upTo } = place;
  const { companies: found, last } = await companies(after);
  const within = found.filter(({ ref }) => isUpTo(ref, upTo));
  if (last !== null && isUpTo(last, upTo)) return { companies: within, rest: { ...place, after: last } };
  const again = wrapsTo === null ? null : { ...place, after: null, wrapsTo: null, upTo: wrapsTo };
  return { companies: within, rest: again };
}

/**
 * The number of questions that may be asked now: even if all of them fail, the limit of failures in a row is not
 * exceeded.
 */
function questionsLeftOf(limits: ResearchLimits | null, { asked, failed }: ResearchProgress): number {
  if (limits === null) return FREE_QUESTIONS_AT_ONCE;
  return Math.min(limits.questionsAtOnce, limits.questionsPerRun - asked, MOST_FAILED - failed);
}

type Candidate = { readonly company: CompanyFacts; readonly passages: readonly Passage[] };

/**
 * The next companies with a passage that mentions the question (D-82) and with an answer that can still be reported.
 */
async function firstCandidates(
  { run, question, statements }: Asking,
  companies: readonly CompanyFacts[],
  most: number,
): Promise<readonly Candidate[]> {
  const window = windowOf(run);
  const mentioned = await mentionedCompanies(run.source, companies, window, statements);
  /** Of each answer, with those under former refs of the company. */
  const subjects = (company: CompanyFacts): readonly (readonly string[])[] =>
    reportedAnswers(question).map((answer) =>
      reportedRefsOf(company).map((ref) => subjectOf(ref, question, answer)),
    );
  const relevant = companies.filter(({ ref }) => mentioned.has(ref));
  // A question costs something, and a finding about a company that is disabled is not reported.
  const possible = run.researcher.limits === null ? relevant : await run.watched.enabled(relevant);
  const known = await run.known(possible.flatMap(subjects).flat());
  const candidates: Candidate[] = [];
  for (const company of possible) {
    if (candidates.length === most) break;
    if (subjects(company).every((ofAnswer) => ofAnswer.some((subject) => known.has(subject)))) continue;
    const passages = await passagesAbout(run.source, company, window);
    const matching = passages.filter((passage) => statements.mentions(textOf(passage)));
    if (matching.length > 0) candidates.push({ company, passages: matching });
  }
  return candidates;
}

async function ask(
  { run, question, statements }: Asking,
  candidates: readonly Candidate[],
  place: ResearchProgress,
): Promise<{ readonly items: readonly AskedCompany[]; readonly isUnavailable: boolean }> {
  const answers = await sideBySide(candidates, candidates.length, async (candidate) => ({
    ...candidate,
    research: await run.researcher.research(question, candidate.passages, run.signal),
  }));
  let inARow = place.failed;
  const items = answers.map(({ company, passages, research }, index): AskedCompany => {
    inARow = research.outcome === 'unavailable' ? inARow + 1 : 0;
    return {
      position: { ...place, after: company.ref, asked: place.asked + index + 1, failed: inARow },
      finding: researchFinding({ company, question, statements, passages, research }),
    };
  });
  return { items, isUnavailable: answers.some(({ research }) => research.outcome === 'unavailable') };
}
