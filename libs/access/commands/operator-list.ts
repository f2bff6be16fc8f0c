import { OPERATOR_ROLES } from '#kernel/values/operators.js';
import { Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { operators, type OperatorDocument } from '#projections/access/operators/operators.projection.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';

const OperatorRow = Type.Object({
  name: Type.String(),
  role: OneOf(...OPERATOR_ROLES),
  added_at: Timestamp,
  added_by: Type.String(),
  /** The creation time of the present token; null for the first token. */
  rotated_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
});

export const operatorList = operatorCommand({
  name: 'operator.list',
  forFinance: true,
  summary: 'List the operators with their roles, by name; the holder of OPS_TOKEN is not among them',
  input: Type.Object(pageInput),
  output: Type.Object({ ...PageAnswer, operators: Type.Array(OperatorRow) }),
  async run({ readModels }, asked) {
    const wanted = { sort: [['name', 'asc']] as const };
    const { rows, numbers } = await readPage<OperatorDocument>(readModels, operators, wanted, asked);
    return {
      ...numbers,
      operators: rows.map(({ name, role, addedAt, addedBy, rotatedAt, revokedAt }) => ({
        name,
        role,
        added_at: addedAt,
        added_by: addedBy,
        rotated_at: rotatedAt,
        revoked_at: revokedAt,
      })),
    };
  },
});
