import { setImmediate } from 'node:timers/promises';
import type { NetworkSource, ReadPosition } from '#network/network-source.port.js';
import { windowOf } from '#signals/detection/window.js';
import { extractsAround } from './extracts.js';

const MOST_SAMPLES = 10;
const PAGE_SIZE = 200;

/** The limits of a preview: texts with a keyword, and real time. */
export type PreviewBounds = { readonly mostTexts: number; readonly mostMs: number };

const PREVIEW_BOUNDS: PreviewBounds = { mostTexts: 10_000, mostMs: 1_000 };

/** Why a count ended before the end of its window. */
export const STOPPED_BECAUSE = ['too_many', 'too_long'] as const;

/** A text with a keyword, without its author and link. */
export type TextSample = {
  /** Day in UTC. */
  readonly publishedOn: string;
  readonly keywords: readonly string[];
  readonly extracts: readonly string[];
};

/** How often posts of the network mention keywords. */
export type Preview = {
  /** Posts with at least one of the keywords. */
  readonly posts: number;
  /** By keyword in the requested spelling and order, without duplicates. */
  readonly counts: ReadonlyMap<string, number>;
  readonly samples: readonly TextSample[];
  /** null: everything was counted. */
  readonly stoppedBecause: (typeof STOPPED_BECAUSE)[number] | null;
  /** The date of the newest counted post; null if everything was counted. */
  readonly countedUntil: string | null;
};

/**
 * Counts the posts of a window that mention keywords, oldest first, and shows extracts of some (QUO-03). It records
 * nothing. Other requests may run between two pages, and before each text that is shown.
 */
export async function previewKeywords(
  source: Pick<NetworkSource, 'posts'>,
  asked: { readonly keywords: readonly string[]; readonly now: Date; readonly lookbackDays: number },
  { mostTexts, mostMs }: PreviewBounds = PREVIEW_BOUNDS,
): Promise<Preview> {
  const timeout = AbortSignal.timeout(mostMs);
  const window = windowOf({ ...asked, liveAfter: null });
  const counts = new Map(asked.keywords.map((keyword) => [keyword, 0]));
  const samples: TextSample[] = [];
  let posts = 0;
  let position: ReadPosition | null = null;
  for (;;) {
    const limit = Math.min(PAGE_SIZE, mostTexts - posts);
    const { items, next } = await source.posts({ ...window, keywords: asked.keywords, position, limit });
    posts += items.length;
    for (const { text, publishedAt, keywordsFound } of items) {
      for (const keyword of keywordsFound) counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
      if (samples.length === MOST_SAMPLES) continue;
      await setImmediate();
      const extracts = extractsAround(text, keywordsFound);
      samples.push({ publishedOn: publishedAt.slice(0, 10), keywords: keywordsFound, extracts });
    }
    if (next === null) return { posts, counts, samples, stoppedBecause: null, countedUntil: null };
    const stoppedBecause = posts >= mostTexts ? 'too_many' : timeout.aborted ? 'too_long' : null;
    if (stoppedBecause !== null)
      return { posts, counts, samples, stoppedBecause, countedUntil: items.at(-1)?.publishedAt ?? null };
    position = next;
    await setImmediate();
  }
}
