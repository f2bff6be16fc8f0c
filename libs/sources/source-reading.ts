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
