import { decider, workspaceScoped, type Decision } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { canonicalJson } from '#kernel/values/json.js';
import {
  MOST_SUBJECTS,
  paidSubjectEvents,
  type PaidSubject,
  type PaidSubjectEvents,
} from './paid-subjects.events.js';

type Staged = PaidSubjectEvents['PaidSubjectsStaged'];

/** One part of the subjects of a file; null before they are written. Once written they never change. */
export type PaidSubjects = { readonly staged: Staged | null };

export const paidSubjects = decider<PaidSubjects>()({
  category: 'paidSubjects',
  scope: 'workspace',
  vocabulary: paidSubjectEvents,
  strict: true,
  initial: () => ({ staged: null }),
  on: { PaidSubjectsStaged: (_none, { data }) => ({ staged: data }) },
  bytesOf: ({ data }) => JSON.stringify(data).length,
});

/** The id of one of the streams of a file. */
export const paidSubjectsId = (workspaceId: number, hash: string, place: number): string =>
  workspaceScoped(workspaceId, `${hash.slice(0, 32)}_${place}`);

/** Writes nothing if they were written before. */
export const stageSubjects =
  (subjects: readonly PaidSubject[]): Decision<PaidSubjects, typeof paidSubjectEvents> =>
  ({ staged }) => {
    if (staged === null) return [{ type: 'PaidSubjectsStaged', data: { subjects } }];
    if (canonicalJson(staged.subjects) === canonicalJson(subjects)) return [];
    throw new Error('another version has divided the subjects of this file otherwise');
  };

/** The index of the stream that holds a subject, so that a look-up reads one stream. */
export const placeOf = (subject: string, streams: number): number =>
  Number.parseInt(sha256Hex(subject).slice(0, 8), 16) % streams;

/**
 * Divides subjects among a number of streams that is the smallest possible power of two; null if one subject has more
 * rows than a stream can hold.
 */
export function divideSubjects(subjects: readonly PaidSubject[]): readonly (readonly PaidSubject[])[] | null {
  if (subjects.length === 0) return [];
  for (let streams = 1; streams <= MOST_STREAMS; streams *= 2) {
    if (streams * MOST_SUBJECTS < subjects.length) continue;
    const divided = Array.from({ length: streams }, (): PaidSubject[] => []);
    for (const each of subjects) divided[placeOf(each.subject, streams)]?.push(each);
    if (divided.every(({ length }) => length <= MOST_SUBJECTS)) return divided;
  }
  return null;
}

const MOST_STREAMS = 2 ** 16;
