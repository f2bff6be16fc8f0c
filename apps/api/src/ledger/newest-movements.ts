import type { Condition, ReadModels } from '#kernel/ports/read-store.port.js';
import type { Cursors, CursorScope } from '#http/cursors.js';
import {
  creditMovements,
  type CreditMovementDocument,
} from '#projections/ledger/credit-movements/credit-movements.projection.js';

export type MovementPage = {
  readonly scope: CursorScope;
  /** The fault of a cursor that the same route issued for other filters. */
  readonly otherFilters: string;
  readonly where: { readonly [field: string]: Condition };
  readonly cursor: string | null;
  readonly limit: number;
};

/** A page of the workspace's charges, newest first, and the cursor of the next one (null at the end). */
export async function newestMovements(
  readModels: ReadModels,
  cursors: Cursors,
  { scope, otherFilters, where, cursor, limit }: MovementPage,
): Promise<{ readonly rows: readonly CreditMovementDocument[]; readonly next: string | null }> {
  const after = cursor === null ? null : cursors.decode(cursor, scope, otherFilters).keys.filter(isPlace);
  const found = await readModels.find(creditMovements, {
    where: { workspaceId: scope.workspaceId, ...where },
    sort: [
      ['createdAt', 'desc'],
      ['id', 'desc'],
    ],
    ...(after === null ? {} : { after }),
    // One more than the limit, to know whether another row follows.
    limit: limit + 1,
  });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const isLast = last === undefined || found.length <= limit;
  return { rows, next: isLast ? null : cursors.encode(scope, { keys: [last.createdAt, last.id] }) };
}

const isPlace = (key: unknown): key is string | number => typeof key === 'string' || typeof key === 'number';
