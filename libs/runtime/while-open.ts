/** What has to be closed after its use. */
export type Closable = { readonly close: () => Promise<void> };

/** Does this work with a store that is opened for it, and closes the store after it, also after a failure. */
export async function whileOpen<Store extends Closable, Result>(
  open: () => Promise<Store>,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await open();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
