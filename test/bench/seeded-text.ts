import { seededRandom } from '#test/support/seeded-random.js';

/** Words and sentences that are the same in every run. */
export function seededText(seed: number): {
  readonly word: () => string;
  readonly words: (count: number) => string;
} {
  const random = seededRandom(seed);
  const syllables = [
    'ka',
    'lo',
    'mi',
    'ter',
    'sun',
    'ra',
    'do',
    'vel',
    'in',
    'pro',
    'sa',
    'con',
    'ti',
    'mar',
    'ke',
  ];
  const pick = (): string => syllables[Math.floor(random() * syllables.length)] ?? 'ka';
  const word = (): string => Array.from({ length: 1 + Math.floor(random() * 4) }, pick).join('');
  return { word, words: (count) => Array.from({ length: count }, word).join(' ') };
}
