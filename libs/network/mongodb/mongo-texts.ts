import { DAY_MS, MINUTE_MS } from '#kernel/values/durations.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db, Filter } from 'mongodb';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import type { ObservationKind } from '../observation.js';
import type { EchoOf } from '../observed-text.js';
import type { FoundTexts, TextCandidate, TextSearch, TextStore } from '../text-source.js';
import { isShown, type Bounds, type SearchLimits, type TextKind, type TextPoint } from '../text-window.js';
import { observationsIn } from './network-collections.js';
import type { SearchedText, StoredObservation } from './observation-document.js';
import {
  authorScope,
  namedScope,
  textsBefore,
  textsBehind,
  wordFilter,
  type AuthorScope,
} from './text-filter.js';

/** Texts in one query: read and matched in a few milliseconds. */
const STEP_TEXTS = 256;
const FIRST_SPAN_MS = DAY_MS;
const SHORTEST_SPAN_MS = MINUTE_MS;
const QUICK_MS = 100;
const SLOW_MS = 1_000;

type Candidate = Pick<StoredObservation, 'body' | 'closedAt' | 'source'> & { readonly text: SearchedText };

const datesOf = ({ text: { at, ownAt }, closedAt }: Candidate) => ({
  at,
  ownAt: ownAt ?? null,
  closedAt: closedAt ?? null,
});

/** The texts read, and those of them in the scope. */
type Step = { readonly step: readonly Candidate[]; readonly own: readonly Candidate[] };

/** The posts and job postings of a MongoDB. The word index leaves out texts that cannot match. */
export function mongoTexts({ read }: MongoDatabase): TextStore<AuthorScope> {
  const find = async <Found>(
    search: TextSearch<AuthorScope>,
    matchOf: (candidate: TextCandidate) => readonly Found[],
  ): Promise<FoundTexts<Found>> => {
    const { kind, keywords, mode, lastMs, scope, shown, limit } = search;
    const words = keywords === undefined ? null : wordFilter(keywords, mode);
    const span = words === null ? wholeSpan : growingSpan();
    const found: Found[] = [];
    let point: TextPoint | null = search.from;
    // One match more than the page size, to know whether another page follows.
    while (point !== null && found.length <= limit) {
      const from: TextPoint = point;
      const endMs = Math.min(lastMs, from.at + span.lengthMs() - 1);
      const filters = [textsBehind(kind, from, endMs), ...(words === null ? [] : [words])];
      const { step, own }: Step = await span.timed(() => read((db) => stepOf(db, filters, scope, 1)));
      const candidates = own.filter((candidate) => isShown(shown, datesOf(candidate)));
      found.push(
        ...candidates.flatMap(({ text, body, source }) =>
          matchOf({ at: text.at, body, reading: source ?? null }),
        ),
      );
      if (step.length === STEP_TEXTS) point = pointOf(step.at(-1));
      else point = endMs >= lastMs ? null : await read((db) => nextFrom(db, kind, endMs + 1, lastMs));
      await nextTurn();
    }
    return { found, next: point };
  };

  const beforeNewest = async (
    kind: TextKind,
    { firstMs, lastMs, shown }: Bounds & { readonly shown: SearchLimits },
    scope: AuthorScope | null,
    count: number,
  ): Promise<TextPoint | null> => {
    let before: TextPoint | null = { at: lastMs + 1, ref: '' };
    for (let left = count; before !== null && firstMs <= lastMs;) {
      const from: TextPoint = before;
      const { step, own }: Step = await read((db) =>
        stepOf(db, [textsBefore(kind, from, firstMs)], scope, -1),
      );
      const counted = own.filter((candidate) => isShown(shown, datesOf(candidate)));
      const point = pointOf(counted[left]);
      if (point !== null) return point;
      left -= counted.length;
      before = step.length < STEP_TEXTS ? null : pointOf(step.at(-1));
    }
    return null;
  };

  const echoes = (postRefs: readonly string[]): Promise<EchoOf> =>
    read(async (db) => {
      const counted = await observationsIn(db)
        .aggregate<Echo>([
          { $match: { 'echo.target': { $in: [...postRefs] } } },
          { $group: { _id: { target: '$echo.target', kind: '$echo.kind' }, number: { $sum: 1 } } },
        ])
        .toArray();
      const numbers = new Map(counted.map(({ _id, number }) => [`${_id.kind}/${_id.target}`, number]));
      return (postRef, kind) => numbers.get(`${kind}/${postRef}`) ?? 0;
    });

  return {
    authorScope: (whose) => read((db) => authorScope(db, whose)),
    companyScope: namedScope,
    find,
    beforeNewest,
    echoes,
  };
}

type Echo = {
  readonly _id: { readonly target: string; readonly kind: ObservationKind };
  readonly number: number;
};

/**
 * The time span of one query. The word index is ordered by word, so the server sorts its hits by time for every page.
 * Therefore a query covers no more time than is found quickly.
 */
function growingSpan() {
  let lengthMs = FIRST_SPAN_MS;
  return {
    lengthMs: () => lengthMs,
    timed: async <Result>(ask: () => Promise<Result>): Promise<Result> => {
      const startedMs = performance.now();
      const result = await ask();
      const tookMs = performance.now() - startedMs;
      if (tookMs < QUICK_MS) lengthMs *= 8;
      else if (tookMs > SLOW_MS) lengthMs = Math.max(SHORTEST_SPAN_MS, Math.floor(lengthMs / 4));
      return result;
    },
  };
}

const wholeSpan = {
  lengthMs: () => Number.POSITIVE_INFINITY,
  timed: <Result>(ask: () => Promise<Result>): Promise<Result> => ask(),
};

/** The time of the next text: on a busy server spans stay short, and years may be empty. */
async function nextFrom(db: Db, kind: TextKind, fromMs: number, lastMs: number): Promise<TextPoint | null> {
  const found = await observationsIn(db)
    .find({ 'text.kind': kind, 'text.at': { $gte: fromMs, $lte: lastMs } })
    .project<Pick<Candidate, 'text'>>({ _id: 0, 'text.at': 1 })
    .sort({ 'text.at': 1, 'text.ref': 1 })
    .limit(1)
    .toArray();
  return found[0] === undefined ? null : { at: found[0].text.at, ref: '' };
}

/** One step of a search, and the texts of it in the scope. Each step is a call with its own timeout. */
async function stepOf(
  db: Db,
  filters: readonly Filter<StoredObservation>[],
  scope: AuthorScope | null,
  way: 1 | -1,
): Promise<Step> {
  const step = await textsOf(db, filters, scope, way);
  return { step, own: await inScope(step, scope) };
}

/** One step of texts in or against the order of time and ref; queried by author if the scope has few authors. */
async function textsOf(
  db: Db,
  filters: readonly Filter<StoredObservation>[],
  scope: AuthorScope | null,
  way: 1 | -1,
): Promise<readonly Candidate[]> {
  const few = scope?.few ?? null;
  const byThese = few === null ? [] : [{ 'text.subject': { $in: [...few] } }];
  const withBody = way === 1 ? { body: 1, source: 1 } : {};
  return observationsIn(db)
    .find({ $and: [...filters, ...byThese] })
    .project<Candidate>({
      _id: 0,
      'text.at': 1,
      'text.ownAt': 1,
      'text.ref': 1,
      'text.subject': 1,
      closedAt: 1,
      ...withBody,
    })
    .sort({ 'text.at': way, 'text.ref': way })
    .limit(STEP_TEXTS)
    .toArray();
}

async function inScope(step: readonly Candidate[], scope: AuthorScope | null): Promise<readonly Candidate[]> {
  if (scope === null || scope.few !== null) return step;
  const authors = new Set(step.flatMap(({ text }) => text.subject ?? []));
  const own = await scope.among([...authors]);
  return step.filter(({ text }) => text.subject !== null && own.has(text.subject));
}

function pointOf(candidate: Candidate | undefined): TextPoint | null {
  return candidate === undefined ? null : { at: candidate.text.at, ref: candidate.text.ref };
}
