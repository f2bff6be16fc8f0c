import type { SourceEvents } from './domain/source.events.js';
import type { Terms } from './source-kind.js';

/** The terms of a kind as events record them. */
export const recordedTerms = ({ url, verdict, readOn }: Terms): SourceEvents['SourceAdded']['terms'] => ({
  url,
  verdict,
  readOn,
});
