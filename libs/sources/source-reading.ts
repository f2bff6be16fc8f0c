import { tooLate, type Answer } from './polite-client.js';
import type { SourceReading } from './source-kind.js';

type WholeReading = Extract<SourceReading, { outcome: 'read' }>;

/** The reading of all items of a source. The first argument is usually its first answer. */
export const readingOf = (
  { sentAtMs, validators, notBeforeMs }: Pick<WholeReading, 'sentAtMs' | 'validators' | 'notBeforeMs'>,
  shown: Pick<WholeReading, 'lines' | 'refs' | 'items'> &
    Partial<Pick<WholeReading, 'isPaged' | 'movedTo' | 'skipHours' | 'known'>>,
): SourceReading => ({
  outcome: 'read',
  isPaged: false,
  isWhole: true,
  movedTo: null,
  skipHours: [],
  known: [],
  ...shown,
  sentAtMs,
  validators,
  notBeforeMs,
});

const STATUSES = { missing: 404, gone: 410, unchanged: 304 } as const;

/**
 * The reading of a source of which a part was not read. 404 and 410 are facts about the part: the source itself has
 * answered in the same reading, so that it is neither missing nor gone (SRC-06).
 */
export function partNotRead(
  part: string,
  answer: Exclude<Answer, { readonly outcome: 'read' }>,
): SourceReading {
  const { outcome, notBeforeMs } = answer;
  if (outcome === 'failed') return answer;
  if (outcome === 'later') return tooLate(notBeforeMs);
  return { outcome: 'failed', why: `${part}: answered ${STATUSES[outcome]}`, notBeforeMs };
}
