/** Numbers from 0 to 1 (exclusive) that are the same for the same seed (mulberry32, Tommy Ettinger, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of several items, by such numbers. */
export const pickerOf =
  (random: () => number) =>
  <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item;
