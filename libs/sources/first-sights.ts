import { createHash } from 'node:crypto';

/** A table is never copied to grow: that would stop the process for seconds. */
const SLOTS = 2 ** 20;
const MOST_OF_A_TABLE = (SLOTS / 4) * 3;

/**
 * Whether an id is seen for the first time. 64 bits of its hash are kept, about 11 bytes for each id, because a file may
 * have any number of rows, with ids of any length. Among ten million ids, two with the same bits are as likely as 1 to
 * 400,000.
 */
export function firstSights(): (id: string) => boolean {
  /** Two numbers a slot; both 0: it is free. */
  const tables: Uint32Array[] = [];
  let ofLast = MOST_OF_A_TABLE;
  return (id) => {
    const hash = createHash('sha256').update(id).digest();
    const [high, low] = [hash.readUInt32LE(0), hash.readUInt32LE(4) || 1];
    if (tables.some((table) => table[slotOf(table, high, low) + 1] !== 0)) return false;
    if (ofLast === MOST_OF_A_TABLE) {
      tables.push(new Uint32Array(2 * SLOTS));
      ofLast = 0;
    }
    const table = tables.at(-1);
    if (table === undefined) throw new Error('there is a table');
    table.set([high, low], slotOf(table, high, low));
    ofLast += 1;
    return true;
  };
}

/** The index of these numbers in a table, or of the free slot for them. */
function slotOf(table: Uint32Array, high: number, low: number): number {
  let index = 2 * (high % SLOTS);
  while (table[index + 1] !== 0 && !(table[index] === high && table[index + 1] === low))
    index = (index + 2) % table.length;
  return index;
}
