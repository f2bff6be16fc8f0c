import type { BoardKind, Terms } from './board-kind.js';
import { ashby } from './kinds/ashby.js';
import { greenhouse } from './kinds/greenhouse.js';
import { lever } from './kinds/lever.js';
import { personio } from './kinds/personio.js';
import { recruitee } from './kinds/recruitee.js';
import { teamtailor } from './kinds/teamtailor.js';

/** Job boards, one file a kind. */
const BOARDS: readonly BoardKind[] = [greenhouse, lever, ashby, teamtailor, recruitee, personio];

/** Feeds stand for themselves: an operator binds one by its address. */
const FEED_TERMS: Terms = {
  url: 'https://www.rssboard.org/rss-specification',
  verdict: 'published to be read by programs; robots.txt and TDM-Reservation of its host decide',
  readOn: null,
  paceMs: 1_000,
};

/** How a source is read. */
export type SourceKind =
  | { readonly gives: 'postings'; readonly name: string; readonly terms: Terms; readonly board: BoardKind }
  | { readonly gives: 'posts'; readonly name: 'feed'; readonly terms: Terms };

const FEED: SourceKind = { gives: 'posts', name: 'feed', terms: FEED_TERMS };

/** Null for a kind that this version does not know. */
export function kindOf(name: string): SourceKind | null {
  if (name === FEED.name) return FEED;
  const board = BOARDS.find((one) => one.name === name);
  return board === undefined ? null : { gives: 'postings', name, terms: board.terms, board };
}
