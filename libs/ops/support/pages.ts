import type { Filter, ReadModels, Sort, ViewOf } from '#kernel/ports/read-store.port.js';
import { Type, type Static } from '#kernel/values/schema.js';
import { described } from './inputs.js';

const PAGE_SIZE = 25;

/** The paging options of every list for operators. */
export const pageInput = {
  page: Type.Optional(
    described('number of the page; default: 1', Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  ),
  page_size: Type.Optional(
    described(`rows per page; default: ${PAGE_SIZE}`, Type.Integer({ minimum: 1, maximum: 100 })),
  ),
};

/** The number of the page; `total` counts the rows of all pages. */
export const PageAnswer = {
  page: Type.Integer({ minimum: 1 }),
  page_size: Type.Integer({ minimum: 1 }),
  page_count: Type.Integer({ minimum: 0 }),
  total: Type.Integer({ minimum: 0 }),
};
type PageAnswer = Readonly<Static<ReturnType<typeof pageObject>>>;
const pageObject = () => Type.Object(PageAnswer);

export type AskedPage = { readonly page?: number; readonly page_size?: number };

type Page<Row> = { readonly rows: readonly Row[]; readonly numbers: PageAnswer };

const numbersOf = (page: number, pageSize: number, total: number): PageAnswer => ({
  page,
  page_size: pageSize,
  page_count: Math.ceil(total / pageSize),
  total,
});

/** One page of rows that are all in memory. */
export function pageOf<Row>(
  all: readonly Row[],
  { page = 1, page_size: pageSize = PAGE_SIZE }: AskedPage,
): Page<Row> {
  const skip = (page - 1) * pageSize;
  return { rows: all.slice(skip, skip + pageSize), numbers: numbersOf(page, pageSize, all.length) };
}

/** The documents of one page, in this order, with the numbers that every paged answer has. */
export async function readPage<Document>(
  readModels: ReadModels,
  view: ViewOf<Document>,
  wanted: Filter & { readonly sort: Sort },
  { page = 1, page_size: pageSize = PAGE_SIZE }: AskedPage,
): Promise<Page<Document>> {
  const { sort, ...filter } = wanted;
  const [rows, total] = await Promise.all([
    readModels.find(view, { ...filter, sort, skip: (page - 1) * pageSize, limit: pageSize }),
    readModels.count(view, filter),
  ]);
  return { rows, numbers: numbersOf(page, pageSize, total) };
}
