import { Buffer } from 'node:buffer';
import type { Match } from './detector.js';

/** Half of what one append may carry: the rest is for metadata and escapes. */
const MAX_PAGE_BYTES = 256 * 1024;

/** The matches of one page, bounded in number and bytes. */
export type MatchPage = {
  readonly matches: readonly Match[];
  /** Takes one more match; false when the page has no room for it. The first one always has. */
  readonly take: (match: Match) => boolean;
};

export function matchPage(limit: number): MatchPage {
  const matches: Match[] = [];
  let bytes = 0;
  return {
    matches,
    take(match) {
      const size = Buffer.byteLength(JSON.stringify(match));
      if (matches.length >= limit || (matches.length > 0 && bytes + size > MAX_PAGE_BYTES)) return false;
      bytes += size;
      matches.push(match);
      return true;
    },
  };
}
