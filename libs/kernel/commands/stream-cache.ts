/** What one stream keeps in memory. */
export type Cached = {
  /** Only an idle entry may be dropped. */
  readonly idle: boolean;
  /** Frees the memory; true if the entry can be dropped. */
  readonly discard: () => boolean;
};

/** The streams in the memory of a process, bounded by their size. */
export type StreamCache<Entry extends Cached> = {
  /** The entry of a stream, which counts as used; undefined if there is none. */
  readonly use: (stream: string) => Entry | undefined;
  /** Adds the entry that `make` returns. The entry reports each change of its size, in bytes, to `weigh`. */
  readonly add: (stream: string, make: (weigh: (difference: number) => void) => Entry) => Entry;
  /** Drops idle entries until the bound is kept. */
  readonly evict: () => void;
  /** Drops every idle entry; the others are passed to `busy`. */
  readonly forget: (busy: (entry: Entry) => void) => void;
};

/**
 * The share of newcomers. Most streams of a run are the record of one person or post, which is used when it is written and not
 * again: without a bound of their own they fill the memory and drop what is used often.
 */
const NEWCOMERS_SHARE = 1 / 8;
/** One command uses the entry of its stream up to three times. */
const USES_OF_A_REGULAR = 8;
/** Names of dropped newcomers that are remembered, to recognise those that come back: about 5 MB. */
const MOST_DROPPED = 50_000;

type Place<Entry> = { entry: Entry | null; bytes: number; uses: number; isRegular: boolean };
type Places<Entry> = Map<string, Place<Entry>>;

/**
 * Two queues (Johnson and Shasha, VLDB 1994): newcomers are dropped in the order in which they came; one that was used often, or
 * comes back after it was dropped, is kept as a regular. Regulars are dropped by the clock algorithm of page replacement: those
 * used since the last pass stay. A use does not reorder entries, because that costs as much as a Map has entries.
 * Measured: 20 us a use among 10,000 streams, 160 us among 100,000 (docs/performance.md).
 */
export function streamCache<Entry extends Cached>(maxBytes: number): StreamCache<Entry> {
  const newcomers: Places<Entry> = new Map();
  const regulars: Places<Entry> = new Map();
  const dropped = new Set<string>();
  const oldestNewcomer = circling(newcomers);
  const nextRegular = circling(regulars);
  const oldestDropped = circling(dropped);
  let newcomersBytes = 0;
  let regularsBytes = 0;

  const drop = (places: Places<Entry>, stream: string, { entry }: Place<Entry>): boolean =>
    entry !== null && entry.idle && entry.discard() && places.delete(stream);

  const remember = (stream: string): void => {
    dropped.add(stream);
    if (dropped.size <= MOST_DROPPED) return;
    const oldest = oldestDropped();
    if (oldest !== null) dropped.delete(oldest[0]);
  };

  const keep = (stream: string, place: Place<Entry>): void => {
    newcomers.delete(stream);
    newcomersBytes -= place.bytes;
    regularsBytes += place.bytes;
    place.isRegular = true;
    place.uses = 0;
    regulars.set(stream, place);
  };

  const evictNewcomers = (): void => {
    const most = maxBytes * NEWCOMERS_SHARE;
    for (let looks = newcomers.size; newcomersBytes > most && looks > 0; looks -= 1) {
      const oldest = oldestNewcomer();
      if (oldest === null) return;
      const [stream, place] = oldest;
      if (place.uses >= USES_OF_A_REGULAR) keep(stream, place);
      else if (drop(newcomers, stream, place)) remember(stream);
      else {
        // Its next look comes when the queue has passed once more.
        newcomers.delete(stream);
        newcomers.set(stream, place);
      }
    }
  };

  const evictRegulars = (): void => {
    for (let looks = 2 * regulars.size; newcomersBytes + regularsBytes > maxBytes && looks > 0; looks -= 1) {
      const next = nextRegular();
      if (next === null) return;
      const [stream, place] = next;
      if (place.uses > 0) place.uses = 0;
      else drop(regulars, stream, place);
    }
  };

  return {
    use(stream) {
      const place = newcomers.get(stream) ?? regulars.get(stream);
      if (place === undefined) return undefined;
      place.uses += 1;
      return place.entry ?? undefined;
    },
    add(stream, make) {
      const isRegular = dropped.delete(stream);
      const place: Place<Entry> = { entry: null, bytes: 0, uses: 0, isRegular };
      const entry = make((difference) => {
        place.bytes += difference;
        if (place.isRegular) regularsBytes += difference;
        else newcomersBytes += difference;
      });
      place.entry = entry;
      (isRegular ? regulars : newcomers).set(stream, place);
      return entry;
    },
    evict() {
      evictNewcomers();
      evictRegulars();
    },
    forget(busy) {
      for (const places of [newcomers, regulars])
        for (const [stream, place] of places)
          if (!drop(places, stream, place) && place.entry !== null) busy(place.entry);
    },
  };
}

/**
 * Returns the entries one after the other, from the beginning again after the last; null if there are none. One iterator for all
 * calls: a new one would pass over all entries deleted at the beginning.
 */
function circling<Entry>(entries: { readonly entries: () => IterableIterator<Entry> }): () => Entry | null {
  let hand = entries.entries();
  return () => {
    const next = hand.next();
    if (next.done !== true) return next.value;
    hand = entries.entries();
    const first = hand.next();
    return first.done === true ? null : first.value;
  };
}
