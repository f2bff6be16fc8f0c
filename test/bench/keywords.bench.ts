import AhoCorasick from 'modern-ahocorasick';
import { fold } from '#kernel/values/text-folding.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import { percentile, timed, type Bench, type Measurement } from './bench.js';
import { seededText } from './seeded-text.js';

const POSTS = 5_000;
const TURNS = 5;
const WORDS_A_POST = 60;
const WORD = /[\p{L}\p{M}\p{N}_]/u;

/** The best package, with the missing check of word edges added. */
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

async function compare(count: number): Promise<readonly Measurement[]> {
  const text = seededText(count);
  const keywords = [
    ...new Set(Array.from({ length: count }, (_, index) => (index % 3 === 0 ? text.words(2) : text.word()))),
  ];
  const posts = Array.from({ length: POSTS }, () => text.words(WORDS_A_POST));
  const named = `${count.toLocaleString('en')} keywords`;
  const beside = 'modern-ahocorasick and word edges';
  const turns = [];
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const [ours, oursBuildMs] = await built(() => keywordMatcher(keywords));
    const [theirs, theirsBuildMs] = await built(() => packageMatcher(keywords));
    let [found, foundByPackage] = [0, 0];
    const oursMs = await timed(() => posts.forEach((post) => (found += ours(post).length)));
    const theirsMs = await timed(() => posts.forEach((post) => (foundByPackage += theirs(post))));
    turns.push({ oursMs, theirsMs, oursBuildMs, theirsBuildMs, found, foundByPackage });
  }
  // The first turn only warms up the compiler.
  const counted = turns.slice(1);
  const middle = (value: (turn: (typeof counted)[number]) => number): number =>
    percentile(counted.map(value), 0.5);
  const { found = 0, foundByPackage = 0 } = counted[0] ?? {};
  return [
    {
      what: `keyword matching, ${named}`,
      measured: POSTS / middle(({ oursMs }) => oursMs / 1_000),
      unit: 'posts/s',
      beside,
      besideValue: POSTS / middle(({ theirsMs }) => theirsMs / 1_000),
      ratio: middle(({ oursMs, theirsMs }) => theirsMs / oursMs),
      goal: { atLeast: 4 },
      proof: `${found} found, ${foundByPackage} by the package`,
    },
    {
      what: `building the matcher of ${named}`,
      measured: middle(({ oursBuildMs }) => oursBuildMs),
      unit: 'ms',
      beside,
      besideValue: middle(({ theirsBuildMs }) => theirsBuildMs),
      ratio: middle(({ oursBuildMs, theirsBuildMs }) => oursBuildMs / theirsBuildMs),
      goal: { atMost: 1.25 },
      proof: `${keywords.length} distinct keywords; tables of at most ${tableKilobytes(keywords)} kB`,
    },
  ];
}

async function built<Matcher>(build: () => Matcher): Promise<readonly [Matcher, number]> {
  let matcher = build();
  const elapsed = await timed(() => (matcher = build()));
  return [matcher, elapsed];
}

/** Memory of a matcher outside the heap, including uncollected memory of its construction. */
function tableKilobytes(keywords: readonly string[]): number {
  const before = process.memoryUsage().arrayBuffers;
  keywordMatcher(keywords);
  return Math.round((process.memoryUsage().arrayBuffers - before) / 1_000);
}

export const keywordsBench: Bench = {
  name: 'keywords',
  run: async () => [...(await compare(1_000)), ...(await compare(10_000))],
};
