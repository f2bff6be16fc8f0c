import { Nullable, Type, type TSchema } from '#kernel/values/schema.js';
import { Reply } from './reply.js';

/** The schema of `{ data: … }`. */
export const DataOf = <Schema extends TSchema>(data: Schema) => Type.Object({ data }, titled(data, 'Answer'));

/** The value of `{ data: … }`. */
export type DataOf<Data> = { readonly data: Data };

/** The title of a wrapper around a titled schema. */
const titled = ({ title }: TSchema, more: string): { readonly title?: string } =>
  title === undefined ? {} : { title: title + more };

/** The schema of an offset page (OP-04). */
export const PageOf = <Schema extends TSchema>(row: Schema) =>
  Type.Object({ data: Type.Array(row), meta: PageMeta }, titled(row, 'Page'));

/** An offset page as the answer of a handler. */
export type PageOf<Row> = Reply<OffsetPage<Row>>;

const Pagination = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    page_size: Type.Integer({ minimum: 1 }),
    page_count: Type.Integer({ minimum: 0 }),
    total: Type.Integer({ minimum: 0 }),
  },
  { title: 'Pagination' },
);
const PageMeta = Type.Object({ pagination: Pagination }, { title: 'PageMeta' });

/** The schema of a cursor page in the v2 query. */
export const CursorPageV2Of = <Schema extends TSchema>(row: Schema) =>
  Type.Object(
    {
      data: Type.Array(row),
      meta: Type.Object(
        { next_cursor: Nullable(Type.String()), has_more: Type.Boolean() },
        { title: 'CursorMetaV2' },
      ),
    },
    titled(row, 'Page'),
  );

/** The schema of a cursor page in v3. */
export const CursorPageV3Of = <Schema extends TSchema>(row: Schema) =>
  Type.Object({ data: Type.Array(row), meta: CursorMeta }, titled(row, 'Page'));

const Cursor = Type.Object({ next: Nullable(Type.String()), has_more: Type.Boolean() }, { title: 'Cursor' });
const CursorMeta = Type.Object({ cursor: Cursor }, { title: 'CursorMeta' });

/** The requested page; `skip` is the number of rows before it. */
export type PageRequest = { readonly page: number; readonly pageSize: number; readonly skip: number };

export type OffsetPage<Row> = {
  readonly data: readonly Row[];
  readonly meta: {
    readonly pagination: {
      readonly page: number;
      readonly page_size: number;
      readonly page_count: number;
      readonly total: number;
    };
  };
};

/** An offset page: envelope and the X-… headers that repeat it. `total` counts the whole collection. */
export function page<Row>(
  data: readonly Row[],
  total: number,
  { page, pageSize }: Pick<PageRequest, 'page' | 'pageSize'>,
): Reply<OffsetPage<Row>> {
  const pageCount = Math.ceil(total / pageSize);
  return new Reply(
    { data, meta: { pagination: { page, page_size: pageSize, page_count: pageCount, total } } },
    null,
    {
      'X-Total-Count': String(total),
      'X-Page': String(page),
      'X-Page-Size': String(pageSize),
      'X-Page-Count': String(pageCount),
    },
  );
}

/**
 * The size of the whole collection, if this page ends it: a page that is not full is the last. null if the rows have
 * to be counted.
 */
export function totalAtEnd(rows: number, { skip, pageSize }: PageRequest): number | null {
  const isLast = rows < pageSize && (rows > 0 || skip === 0);
  return isLast ? skip + rows : null;
}

/** A v2 cursor page; `next` null means that this is the last page. */
export const cursorPageV2 = <Row>(data: readonly Row[], next: string | null) => ({
  data,
  meta: { next_cursor: next, has_more: next !== null },
});

/** A v3 cursor page; `next` null means that this is the last page. */
export const cursorPageV3 = <Row>(data: readonly Row[], next: string | null) => ({
  data,
  meta: { cursor: { next, has_more: next !== null } },
});
