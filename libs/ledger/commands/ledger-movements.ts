import { fieldError } from '#kernel/values/refusal.js';
import { Id, Nullable, Type } from '#kernel/values/schema.js';
import { MovementRowAnswer, movementRow } from '#ledger/answers/movement.answer.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

const AT_MOST = 1_000;

const fields = {
  launch_id: 'launchId',
  run_id: 'shownRunId',
  setup_id: 'setupId',
  agent_id: 'agentId',
  company_id: 'companyId',
} as const;

export const ledgerMovements = operatorCommand({
  name: 'ledger.movements',
  forFinance: true,
  summary:
    'List the charges of a launch, run, setup, agent or company, newest first; before: continue after this id',
  input: Type.Object({
    workspace_id: WorkspaceId,
    launch_id: Type.Optional(described('only charges of this launch', Id)),
    run_id: Type.Optional(described('only charges of this run', Id)),
    setup_id: Type.Optional(described('only charges of this signal setup', Id)),
    agent_id: Type.Optional(described('only charges of this agent', Id)),
    company_id: Type.Optional(described('only charges of this company', Id)),
    before: Type.Optional(described('continue after this movement', Id)),
    limit: Type.Optional(described('most rows', Type.Integer({ minimum: 1, maximum: AT_MOST }))),
  }),
  output: Type.Object({
    movements: Type.Array(MovementRowAnswer),
    /** The value for `before` on the next page; null on the last page. */
    next: Nullable(Id),
  }),
  async run({ readModels, requireWorkspace }, { workspace_id: workspaceId, before, limit = 100, ...causes }) {
    const named = Object.entries(causes);
    const [cause] = Object.entries(fields).flatMap(([input, field]) =>
      named.flatMap(([name, id]) => (name === input ? [[field, id] as const] : [])),
    );
    if (cause === undefined || named.length !== 1) {
      const message = `name one of ${Object.keys(fields).join(', ')}`;
      throw invalidInput({ errors: fieldError(named[1]?.[0] ?? 'launch_id', message) });
    }
    await requireWorkspace(workspaceId);
    const last = before === undefined ? null : await readModels.get(creditMovements, String(before));
    if (before !== undefined && last?.workspaceId !== workspaceId) {
      throw invalidInput({ errors: fieldError('before', 'is not a charge of this workspace') });
    }
    const found = await readModels.find(creditMovements, {
      where: { workspaceId, [cause[0]]: cause[1] },
      sort: [
        ['createdAt', 'desc'],
        ['id', 'desc'],
      ],
      ...(last === null ? {} : { after: [last.createdAt, last.id] }),
      limit: limit + 1,
    });
    const movements = found.slice(0, limit).map(movementRow);
    return { movements, next: found.length > limit ? (movements.at(-1)?.id ?? null) : null };
  },
});
