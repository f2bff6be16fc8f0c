import { Buffer } from 'node:buffer';
import type { JsonValue } from '#kernel/values/json.js';
import type { Search, UnreadRun } from './detector.js';
import { matchesOf, type Match } from './matches.js';
import type { Finding } from './finding.js';

export type DetectorPage = {
  readonly matches: readonly Match[];
  /** What the next page needs to go on behind this one: opaque to all but the detector. */
  readonly resume: JsonValue;
  readonly more: boolean;
  readonly incomplete?: string;
  readonly checked?: readonly number[];
};

/** How many matches a run fixes, holds and records at once. */
export const BATCH_SIZE = 50;

const ITEMS_A_READ = 100;
/** Reads of one page: past them it ends with what it has, so that a filter few items pass leaves a trace. */
const READS_A_PAGE = 20;
/** Half of what one append may carry: the rest is for metadata and escapes. */
const MAX_PAGE_BYTES = 256 * 1024;

/**
 * Reads on until a page is full, what was looked for is at its end, or enough was read. A page that is full in the
 * middle of the findings of one item goes on before that item: those that it has are known by then.
 */
export async function searchPage<Item extends { readonly position: JsonValue }>(
  { start, read: readAt, judge, persona }: Search<Item>,
  run: UnreadRun,
  resume: JsonValue,
  limit: number,
): Promise<DetectorPage> {
  const ranked = persona === undefined ? run : { ...run, persona };
  const matches: Match[] = [];
  const taken = new Set<string>();
  let bytes = 0;
  /** False when the page has no room for it; the first one always has. */
  const take = (match: Match): boolean => {
    const size = Buffer.byteLength(JSON.stringify(match));
    if (matches.length >= limit || (matches.length > 0 && bytes + size > MAX_PAGE_BYTES)) return false;
    bytes += size;
    matches.push(match);
    return true;
  };
  let position = resume === null && start !== undefined ? await start() : resume;
  let told: Told = {};
  for (let reads = 1; ; reads += 1) {
    // Where most of what is read is found, the first read fills the page.
    const wanted = reads === 1 ? Math.min(limit, ITEMS_A_READ) : ITEMS_A_READ;
    const { items, next, endsPage = false, ...read } = await readAt(position, wanted);
    told = toldBy(told, read);
    const findings = await judge(items);
    const isNew = await unknownSubjects(run, findings.flat());
    const matchOf = await matchesOf(ranked, findings.flat().filter(isNew));
    for (const [index, item] of items.entries()) {
      for (const finding of findings[index] ?? []) {
        if (!isNew(finding) || taken.has(finding.subject)) continue;
        if (!take(matchOf(finding))) return { matches, resume: position, more: true, ...told };
        taken.add(finding.subject);
      }
      position = item.position;
    }
    if (next === null) return { matches, resume: position, more: false, ...told };
    position = next;
    const isFull = endsPage || reads >= READS_A_PAGE || matches.length >= limit;
    if (isFull) return { matches, resume: position, more: true, ...told };
  }
}

type Told = Pick<DetectorPage, 'incomplete' | 'checked'>;

/** What reads of one page say beside their items. */
const toldBy = (before: Told, { incomplete, checked }: Told): Told => ({
  ...before,
  ...(incomplete === undefined ? {} : { incomplete }),
  ...(checked === undefined ? {} : { checked: [...(before.checked ?? []), ...checked] }),
});

async function unknownSubjects(
  run: UnreadRun,
  findings: readonly Finding[],
): Promise<(finding: Finding) => boolean> {
  const known = await run.known(findings.map(({ subject }) => subject));
  return ({ subject }) => !known.has(subject);
}
