import type { Page, Paging, ReadPosition } from './network-source.port.js';

const READ_AT_ONCE = 500;

/** The items of all pages of a read, from a position on; each page is read when its items are requested. */
export async function* eachItem<Item>(
  read: (paging: Required<Paging>) => Promise<Page<Item>>,
  {
    start = null,
    limit = READ_AT_ONCE,
  }: { readonly start?: ReadPosition | null; readonly limit?: number } = {},
): AsyncGenerator<Item, void, undefined> {
  for (let position = start; ;) {
    const page = await read({ position, limit });
    yield* page.items;
    if (page.next === null) return;
    position = page.next;
  }
}
