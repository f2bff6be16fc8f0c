import type { PersonFacts } from '#network/network-directory.port.js';
import type { ReadPosition } from '#network/network-source.port.js';
import type { DetectorRun } from '#signals/detection/detector.js';
import { windowOf } from '#signals/detection/window.js';
import { oneIn } from './titles.js';

const POSTS_AT_ONCE = 100;

/** The people who mention a keyword: in headline or about, or in a post in the window (D-61). */
export async function mentioning(
  run: Pick<DetectorRun<unknown>, 'now' | 'lookbackDays' | 'source'>,
  keywords: readonly string[],
  people: readonly PersonFacts[],
): Promise<ReadonlySet<string>> {
  const isOne = oneIn(keywords);
  const found = new Set(
    people.filter(({ headline, about }) => isOne(headline) || isOne(about)).map(({ ref }) => ref),
  );
  const refs = new Set(people.map(({ ref }) => ref).filter((ref) => !found.has(ref)));
  for (let position: ReadPosition | null = null; refs.size > 0;) {
    const page = await run.source.posts({
      ...windowOf({ ...run, liveAfter: null }),
      whose: { companyRefs: [], personRefs: [...refs] },
      keywords,
      position,
      limit: POSTS_AT_ONCE,
    });
    for (const { authorRef } of page.items) {
      if (authorRef === null) continue;
      found.add(authorRef);
      refs.delete(authorRef);
    }
    if (page.next === null) break;
    position = page.next;
  }
  return found;
}
