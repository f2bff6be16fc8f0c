/** Some items of an answer, and the number of items left out because they have no text. */
export type Piece<Item> = { readonly items: readonly Item[]; readonly skipped: number };

/** The items of an answer in pieces, to be read once; `close` drops the rest. */
export type Pieces<Item> = AsyncIterable<Piece<Item>> & { readonly close: () => Promise<void> };

/** Maximum items per piece; fewer if they are long. */
const AT_ONCE = 100;
const CHARACTERS_AT_ONCE = 64 * 1024;

const nothingToClose = async (): Promise<void> => undefined;

/** Pieces from a generator. `close` must be called if they are not read to the end. */
export function pieces<Item>(
  generated: AsyncIterable<Piece<Item>>,
  close: () => Promise<void> = nothingToClose,
): Pieces<Item> {
  return { [Symbol.asyncIterator]: () => generated[Symbol.asyncIterator](), close };
}

/** The items as one piece; null is an item without a text. */
export function onePiece<Item>(given: Iterable<Item | null>): Pieces<Item> {
  return pieces(
    (async function* () {
      yield pieceOf([...given]);
    })(),
  );
}

/** The same pieces with mapped items. */
export function mapped<Item, Other>(of: Pieces<Item>, change: (item: Item) => Other): Pieces<Other> {
  return pieces(
    (async function* () {
      for await (const { items, skipped } of of) yield { items: items.map(change), skipped };
    })(),
    () => of.close(),
  );
}

/** All remaining items in one piece. */
export async function whole<Item>(of: Pieces<Item>): Promise<Piece<Item>> {
  const items: Item[] = [];
  let skipped = 0;
  for await (const piece of of) {
    items.push(...piece.items);
    skipped += piece.skipped;
  }
  return { items, skipped };
}

/** The length of the texts of an object. */
export function charactersOf(item: object): number {
  let characters = 0;
  for (const value of Object.values(item)) if (typeof value === 'string') characters += value.length;
  return characters;
}

/** The next items of an iterator; fewer if `sizeOf` says that they are long. */
export function nextPiece<Item>(
  from: Iterator<Item | null>,
  sizeOf: (item: Item) => number,
): { readonly piece: Piece<Item>; readonly isLast: boolean } {
  const given: (Item | null)[] = [];
  let characters = 0;
  while (given.length < AT_ONCE && characters < CHARACTERS_AT_ONCE) {
    const { value, done } = from.next();
    if (done === true) return { piece: pieceOf(given), isLast: true };
    given.push(value);
    if (value !== null) characters += sizeOf(value);
  }
  return { piece: pieceOf(given), isLast: false };
}

function pieceOf<Item>(given: readonly (Item | null)[]): Piece<Item> {
  const items = given.filter((item) => item !== null);
  return { items, skipped: given.length - items.length };
}
