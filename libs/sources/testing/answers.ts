import { parseHere } from '../parse-here.js';
import type { Answer } from '../polite-client.js';
import type { ParseOf, ReadWith } from '../source-kind.js';

/** A source of Acme at this address. */
export const sampleSource = (boardId: string, url: string): ParseOf => ({
  boardId,
  url,
  baseUrl: null,
  match: null,
  mapping: null,
  redactsContacts: true,
  subjectRef: 'c:acme',
});

/** The answer with this body; `null` is 404 and `undefined` is 500. */
export function sampleAnswer(
  url: string,
  body: string | null | undefined,
  facts: Pick<Extract<Answer, { outcome: 'read' }>, 'validators' | 'sentAtMs'>,
): Answer {
  if (body === null) return { outcome: 'missing', notBeforeMs: 0 };
  if (body === undefined) return { outcome: 'failed', why: 'answered 500', notBeforeMs: 0 };
  return {
    outcome: 'read',
    body: { bytes: new TextEncoder().encode(body), charset: null },
    ...facts,
    notBeforeMs: 0,
    movedTo: null,
    url,
  };
}

/** A first reading that gets these answers. */
export const readingWith = (get: ReadWith['client']['get']): ReadWith => ({
  client: { get },
  parse: parseHere,
  validators: null,
  known: [],
  readsKnownAgain: false,
  signal: new AbortController().signal,
  onRequest: () => undefined,
  nowMs: () => 1,
  onBytes: () => undefined,
  refsOf: async () => ({ domains: new Map(), handles: new Map() }),
});
