import AhoCorasick from 'modern-ahocorasick';
import { fold } from '#kernel/values/text-folding.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import { timed, type Bench, type Measurement } from './bench.js';
import { seededText } from './seeded-text.js';

const POSTS = 5_000;
const WORDS_A_POST = 60;
const WORD = /[\p{L}\p{M}\p{N}_]/u;

/** The best package, with the word edges that it lacks looked at afterwards. */
function packageMatcher(keywords: readonly string[]): (text: string) => number {
  const automaton = new AhoCorasick(keywords.map(fold));
  return (text) => {
    const folded = fold(text);
    const found = new Set<string>();
    for (const { pattern, start, end } of automaton.search(folded)) {
      if (WORD.test(folded[start - 1] ?? ' ') || WORD.test(folded[end] ?? ' ')) continue;
      found.add(pattern);
    }
    return found.size;
  };
}

async function compare(count: number): Promise<Measurement> {
  const text = seededText(count);
  const keywords = [
    ...new Set(Array.from({ length: count }, (_, index) => (index % 3 === 0 ? text.words(2) : text.word()))),
  ];
  const posts = Array.from({ length: POSTS }, () => text.words(WORDS_A_POST));
  const ours = keywordMatcher(keywords);
  const theirs = packageMatcher(keywords);
  let [found, foundByPackage] = [0, 0];
  for (const post of posts.slice(0, POSTS / 10)) {
    ours(post);
    theirs(post);
  }
  const oursMs = await timed(() => posts.forEach((post) => (found += ours(post).length)));
  const theirsMs = await timed(() => posts.forEach((post) => (foundByPackage += theirs(post))));
  return {
    what: `keyword matching, ${count.toLocaleString('en')} keywords`,
    measured: (POSTS / oursMs) * 1_000,
    unit: 'posts/s',
    beside: 'modern-ahocorasick and word edges',
    besideValue: (POSTS / theirsMs) * 1_000,
    goal: { atLeast: 3 },
    proof: `${found} found, ${foundByPackage} by the package`,
  };
}

export const keywordsBench: Bench = {
  name: 'keywords',
  run: async () => [await compare(1_000), await compare(10_000)],
};
