import type { PersonFacts } from '#network/network-directory.port.js';
import { eachItem } from '#network/each-item.js';
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
  if (refs.size === 0) return found;
  const window = windowOf({ ...run, liveAfter: null });
  // Each page leaves out the people who were found on the pages before it.
  const posts = eachItem(
    (paging) =>
      run.source.posts({ ...window, whose: { companyRefs: [], personRefs: [...refs] }, keywords, ...paging }),
    { limit: POSTS_AT_ONCE },
  );
  for await (const { authorRef } of posts) {
    if (authorRef === null) continue;
    found.add(authorRef);
    refs.delete(authorRef);
    if (refs.size === 0) break;
  }
  return found;
}
