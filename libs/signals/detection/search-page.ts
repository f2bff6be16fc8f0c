import { Buffer } from 'node:buffer';
import type { JsonValue } from '#kernel/values/json.js';
import type { Search, UnreadRun } from './detector.js';
import { matchesOf, type Match } from './matches.js';
import type { Finding } from './finding.js';

export type DetectorPage = {
  readonly matches: readonly Match[];
  /** The state that the next page needs; opaque to everything but the detector. */
  readonly resume: JsonValue;
  readonly more: boolean;
  readonly incomplete?: string;
  readonly checked?: readonly number[];
};

/** How many matches a run fixes, holds and records at once. */
export const BATCH_SIZE = 50;

const ITEMS_A_READ = 100;
/**
 * The maximum number of reads of one page. The page then ends with the items found so far, so that progress is stored
 * even if a filter passes few items.
 */
const READS_A_PAGE = 20;
/** Half the size of an append: the rest is for metadata and escapes. */
const MAX_PAGE_BYTES = 256 * 1024;

/**
 * Reads until a page is full, the search has ended, or the limit of reads is reached. A page that is full in the
 * middle of the findings of one item continues before that item: the findings already taken are known by then.
 */
export async function searchPage<Item extends { readonly position: JsonValue }>(
  { start, read: readAt, judge, persona }: Search<Item>,
  run: UnreadRun,
  resume: JsonValue,
  limit: number,
): Promise<DetectorPage> {
  const ranked = persona === undefined ? run : { ...run, persona };
  const matches: Match[] = [];
  const taken = takenFindings();
  let bytes = 0;
  /** False if the page is full; it always takes the first match. */
  const take = (match: Match): boolean => {
    const size = Buffer.byteLength(JSON.stringify(match));
    if (matches.length >= limit || (matches.length > 0 && bytes + size > MAX_PAGE_BYTES)) return false;
    bytes += size;
    matches.push(match);
    return true;
  };
  let position = resume === null && start !== undefined ? await start() : resume;
  let results: ReadResults = {};
  for (let reads = 1; ; reads += 1) {
    // If most read items have findings, the first read fills the page.
    const wanted = reads === 1 ? Math.min(limit, ITEMS_A_READ) : ITEMS_A_READ;
    const { items, next, endsPage = false, ...read } = await readAt(position, wanted);
    results = addResults(results, read);
    const findings = await judge(items);
    const isNew = await unknownSubjects(run, findings.flat());
    const matchOf = await matchesOf(ranked, findings.flat().filter(isNew));
    for (const [index, item] of items.entries()) {
      for (const finding of findings[index] ?? []) {
        if (!isNew(finding) || taken.has(finding)) continue;
        if (!take(matchOf(finding))) return { matches, resume: position, more: true, ...results };
        taken.add(finding);
      }
      position = item.position;
    }
    if (next === null) return { matches, resume: position, more: false, ...results };
    position = next;
    const isFull = endsPage || reads >= READS_A_PAGE || matches.length >= limit;
    if (isFull) return { matches, resume: position, more: true, ...results };
  }
}

type ReadResults = Pick<DetectorPage, 'incomplete' | 'checked'>;

/** The additional results of all reads of one page. */
const addResults = (before: ReadResults, { incomplete, checked }: ReadResults): ReadResults => ({
  ...before,
  ...(incomplete === undefined ? {} : { incomplete }),
  ...(checked === undefined ? {} : { checked: [...(before.checked ?? []), ...checked] }),
});

/**
 * The findings of one page. Two of them are the same if the subject of one is the subject of the other, or a former one of
 * it. Former subjects alone prove nothing: two companies may share a domain.
 */
function takenFindings() {
  const subjects = new Set<string>();
  const former = new Set<string>();
  return {
    has: (finding: Finding): boolean =>
      former.has(finding.subject) || subjectsOf(finding).some((subject) => subjects.has(subject)),
    add({ subject, formerSubjects = [] }: Finding): void {
      subjects.add(subject);
      for (const each of formerSubjects) former.add(each);
    },
  };
}

async function unknownSubjects(
  run: UnreadRun,
  findings: readonly Finding[],
): Promise<(finding: Finding) => boolean> {
  const known = await run.known(findings.flatMap(subjectsOf));
  return (finding) => !subjectsOf(finding).some((subject) => known.has(subject));
}

const subjectsOf = ({ subject, formerSubjects = [] }: Finding): readonly string[] => [
  subject,
  ...formerSubjects,
];
