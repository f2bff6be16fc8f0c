/** 1 MiB: with a million keys about one in twenty unknown keys is reported, with three millions one in four. */
const BITS = 1 << 23;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const MIX = 0x9e3779b1;

export type KeysSeen = ReturnType<typeof keysSeen>;

/**
 * A set of keys in bounded memory: it never denies an added key, and occasionally reports a key that was not added. A
 * Bloom filter with two bits a key.
 */
export function keysSeen() {
  const words = new Int32Array(BITS / 32);
  const isSet = (bit: number): boolean => ((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  const set = (bit: number): void => {
    words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
  };
  return {
    add: (key: string): void => {
      const hash = hashOf(key);
      set(firstBit(hash));
      set(secondBit(hash));
    },
    has: (key: string): boolean => {
      const hash = hashOf(key);
      return isSet(firstBit(hash)) && isSet(secondBit(hash));
    },
  };
}

function hashOf(key: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), FNV_PRIME);
  return hash;
}

/** The bits of a hash of short texts lie unevenly: each of the two is taken from a hash of the hash. */
const firstBit = (hash: number): number => Math.imul(hash ^ (hash >>> 15), MIX) & (BITS - 1);
const secondBit = (hash: number): number => (Math.imul(hash ^ (hash >>> 13), FNV_PRIME) >>> 9) & (BITS - 1);
