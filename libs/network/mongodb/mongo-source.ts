import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db, Filter } from 'mongodb';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import type { NetworkSource } from '../network-source.port.js';
import { textSource, type FoundTexts, type TextCandidate, type TextSearch } from '../text-source.js';
import type { Bounds, Place, TextKind } from '../text-window.js';
import type { MongoNetworkReads } from './mongo-directory.js';
import { observationsIn } from './network-collections.js';
import type { SearchedText, StoredObservation } from './observation-document.js';
import { observedJobPostings, observedPosts } from './observed-texts.js';
import {
  namedScope,
  postScope,
  textsBefore,
  textsBehind,
  wordFilter,
  type ScopedAuthors,
} from './text-filter.js';

/** Texts of one question to the server; so many are read and matched in a few milliseconds. */
const STEP_TEXTS = 256;

type Candidate = { readonly body: string; readonly text: SearchedText };

/** What was read, and what of it lies in the scope. */
type Step = { readonly step: readonly Candidate[]; readonly own: readonly Candidate[] };

/** NetworkSource over a MongoDB. The index of words leaves out what cannot match. */
export function mongoSource({ read }: MongoDatabase, reads: MongoNetworkReads): NetworkSource {
  const find = async <Found>(
    search: TextSearch<ScopedAuthors>,
    matchOf: (candidate: TextCandidate) => readonly Found[],
  ): Promise<FoundTexts<Found>> => {
    const { kind, keywords, mode, lastMs, scope, limit } = search;
    const words = keywords === undefined ? null : wordFilter(keywords, mode);
    const found: Found[] = [];
    let place: Place | null = search.from;
    // One match more than the page holds tells that the next page is not empty.
    while (place !== null && found.length <= limit) {
      const from: Place = place;
      const filters = [textsBehind(kind, from, lastMs), ...(words === null ? [] : [words])];
      const { step, own }: Step = await read((db) => stepOf(db, filters, scope, 1));
      found.push(...own.flatMap(({ text, body }) => matchOf({ at: text.at, body })));
      place = step.length < STEP_TEXTS ? null : placeOf(step.at(-1));
      await nextTurn();
    }
    return { found, next: place };
  };

  const beforeNewest = async (
    kind: TextKind,
    { firstMs, lastMs }: Bounds,
    scope: ScopedAuthors | null,
    count: number,
  ): Promise<Place | null> => {
    let before: Place | null = { at: lastMs + 1, ref: '' };
    for (let left = count; before !== null && firstMs <= lastMs;) {
      const from: Place = before;
      const { step, own }: Step = await read((db) =>
        stepOf(db, [textsBefore(kind, from, firstMs)], scope, -1),
      );
      const place = placeOf(own[left]);
      if (place !== null) return place;
      left -= own.length;
      before = step.length < STEP_TEXTS ? null : placeOf(step.at(-1));
    }
    return null;
  };

  return textSource({
    postScope: (scope) => read((db) => postScope(db, scope)),
    companyScope: namedScope,
    find,
    beforeNewest,
    observedPosts: (page) => read((db) => observedPosts(db, reads, page)),
    observedJobPostings: (page) => read((db) => observedJobPostings(db, reads, page)),
  });
}

/** One step of a search, and what of it lies in the scope. Each step is a call of its own, with its own patience. */
async function stepOf(
  db: Db,
  filters: readonly Filter<StoredObservation>[],
  scope: ScopedAuthors | null,
  way: 1 | -1,
): Promise<Step> {
  const step = await textsOf(db, filters, scope, way);
  return { step, own: await inScope(step, scope) };
}

/** One step of texts in order of time and ref, or against it; only by the authors of the scope when they are few. */
async function textsOf(
  db: Db,
  filters: readonly Filter<StoredObservation>[],
  scope: ScopedAuthors | null,
  way: 1 | -1,
): Promise<readonly Candidate[]> {
  const few = scope?.few ?? null;
  const byThese = few === null ? [] : [{ 'text.subject': { $in: [...few] } }];
  const withBody = way === 1 ? { body: 1 } : {};
  return observationsIn(db)
    .find({ $and: [...filters, ...byThese] })
    .project<Candidate>({ _id: 0, 'text.at': 1, 'text.ref': 1, 'text.subject': 1, ...withBody })
    .sort({ 'text.at': way, 'text.ref': way })
    .limit(STEP_TEXTS)
    .toArray();
}

async function inScope(
  step: readonly Candidate[],
  scope: ScopedAuthors | null,
): Promise<readonly Candidate[]> {
  if (scope === null || scope.few !== null) return step;
  const authors = new Set(step.flatMap(({ text }) => text.subject ?? []));
  const own = await scope.among([...authors]);
  return step.filter(({ text }) => text.subject !== null && own.has(text.subject));
}

function placeOf(candidate: Candidate | undefined): Place | null {
  return candidate === undefined ? null : { at: candidate.text.at, ref: candidate.text.ref };
}
