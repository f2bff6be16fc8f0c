import { Id, Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { auditLog } from '#projections/operations/audit-log/audit-log.projection.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';

const AuditRow = Type.Object({
  id: Type.String(),
  at: Timestamp,
  operator: Type.String(),
  /** `cli`: the name is not authenticated. */
  via: Nullable(Type.String()),
  workspace_id: Nullable(Id),
  /** The type of the first event that was written. */
  what: Type.String(),
  /** The number of written events, and the first of them. */
  count: Type.Integer({ minimum: 1 }),
  events: Type.Array(
    Type.Object({
      type: Type.String(),
      stream: Type.String(),
      revision: Type.Integer({ minimum: 0 }),
      /** The main fields of the event; credits as micro-credits in text. */
      about: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    }),
  ),
  /** The id of the request. */
  request_id: Type.String(),
});

export const auditList = operatorCommand({
  name: 'audit.list',
  forFinance: true,
  summary: 'List the changes by operators, newest first: who, when, and the written events',
  input: Type.Object({
    operator: Type.Optional(described('name of the operator', Type.String({ minLength: 1, maxLength: 100 }))),
    workspace_id: Type.Optional(WorkspaceId),
    what: Type.Optional(described('type of the first event', Type.String({ minLength: 1, maxLength: 100 }))),
    ...pageInput,
  }),
  output: Type.Object({ ...PageAnswer, actions: Type.Array(AuditRow) }),
  async run({ readModels }, { operator, workspace_id: workspaceId, what, ...asked }) {
    const where = {
      ...(operator !== undefined && { operator }),
      ...(workspaceId !== undefined && { workspaceId }),
      ...(what !== undefined && { what }),
    };
    // Documents of one time follow in the order of their keys, which are the ids.
    const sort = [['at', 'desc']] as const;
    const { rows, numbers } = await readPage(readModels, auditLog, { where, sort }, asked);
    return {
      ...numbers,
      actions: rows.map((row) => ({
        id: row.id,
        at: row.at,
        operator: row.operator,
        via: row.via,
        workspace_id: row.workspaceId,
        what: row.what,
        count: row.count,
        events: row.events.map(({ type, stream, revision, about }) => ({ type, stream, revision, about })),
        request_id: row.correlationId,
      })),
    };
  },
});
