import type { Collection, Db } from 'mongodb';
import { StoreUnusable } from '#kernel/ports/event-store.port.js';
import { isDuplicateKey } from './store-errors.js';

type Claim = { readonly _id: 'store'; readonly product: string; readonly layout: number };

/** The first document that a store of ours writes into a database, under the prefix of its collections. */
export type StoreClaim = {
  readonly prefix: string;
  readonly product: string;
  /** Changes when the documents of an earlier program cannot be read as they are. */
  readonly layout: number;
  /** An earlier layout whose documents this program can migrate. */
  readonly earlierLayout?: number;
};

const claimsIn = (db: Db, prefix: string): Collection<Claim> => db.collection<Claim>(`${prefix}store`);

/**
 * Makes sure that the collections with this prefix are ours; rejects with `StoreUnusable` when they are not. `earlier`: the
 * caller migrates the documents, and then calls `raiseLayout`.
 */
export async function claimDatabase(
  db: Db,
  place: string,
  claim: StoreClaim,
): Promise<'current' | 'earlier'> {
  const { prefix, product, layout, earlierLayout } = claim;
  const claims = claimsIn(db, prefix);
  const found = await claims.findOne({ _id: 'store' });
  if (found === null) {
    const strangers = await collectionsOf(db, prefix);
    if (strangers.length > 0) {
      throw new StoreUnusable(
        `${place} has collections called ${prefix}… that do not belong to this program: ${strangers[0]}`,
      );
    }
    try {
      await claims.insertOne({ _id: 'store', product, layout });
    } catch (error) {
      // Another process of ours was faster.
      if (!isDuplicateKey(error)) throw error;
    }
    return 'current';
  }
  if (found.product !== product) {
    throw new StoreUnusable(`${place} holds a ${JSON.stringify(found.product)}, not a ${product}`);
  }
  if (found.layout === earlierLayout) return 'earlier';
  if (found.layout !== layout) {
    throw new StoreUnusable(
      `the ${product} in ${place} has layout ${found.layout}, this program needs ${layout}`,
    );
  }
  return 'current';
}

/** Records that all documents have the layout of the claim. */
export async function raiseLayout(db: Db, { prefix, layout }: StoreClaim): Promise<void> {
  await claimsIn(db, prefix).updateOne({ _id: 'store' }, { $set: { layout } });
}

async function collectionsOf(db: Db, prefix: string): Promise<readonly string[]> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  return collections
    .map(({ name }) => name)
    .filter((name) => name.startsWith(prefix) && name !== `${prefix}store`);
}
