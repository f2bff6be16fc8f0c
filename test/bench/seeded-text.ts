/** Numbers from 0 to below 1 that are the same in every run (mulberry32). */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Words and sentences that are the same in every run. */
export function seededText(seed: number): {
  readonly word: () => string;
  readonly words: (count: number) => string;
} {
  const random = seededNumbers(seed);
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
