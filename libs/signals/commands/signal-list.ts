import { fieldError } from '#kernel/values/refusal.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import { Id, Nullable, Type } from '#kernel/values/schema.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { detectionKey, detections } from '#projections/signals/detections/detections.projection.js';
import { SignalRow, signalRows } from './signal-row.js';

const AT_MOST = 200;

const fields = {
  run_id: 'runId',
  agent_id: 'sourceId',
  company_id: 'companyId',
  movement_id: 'movementId',
  signal_type: 'signalType',
  priority: 'priority',
} as const;

export const signalList = operatorCommand({
  name: 'signal.list',
  forFinance: true,
  summary: 'List the signals of a workspace, newest first, with their cost; before: continue after this id',
  input: Type.Object({
    workspace_id: WorkspaceId,
    run_id: Type.Optional(described('only signals of this run', Id)),
    agent_id: Type.Optional(described('only signals of this agent or signal setup', Id)),
    company_id: Type.Optional(described('only signals about this company', Id)),
    movement_id: Type.Optional(described('only signals that this movement paid for', Id)),
    signal_type: Type.Optional(described('only signals of this type', Type.String())),
    priority: Type.Optional(
      described('1: top priority; 2: the others', Type.Integer({ minimum: 1, maximum: 2 })),
    ),
    before: Type.Optional(described('continue after this signal', Id)),
    limit: Type.Optional(
      described('largest number of rows; default: 50', Type.Integer({ minimum: 1, maximum: AT_MOST })),
    ),
  }),
  output: Type.Object({
    signals: Type.Array(SignalRow),
    /** The value for `before` on the next page; null on the last page. */
    next: Nullable(Id),
  }),
  async run({ readModels, requireWorkspace }, { workspace_id: workspaceId, before, limit = 50, ...filters }) {
    await requireWorkspace(workspaceId);
    const named = Object.entries(filters);
    // Each index serves one filter; two filters would need a scan.
    if (named.length > 1) {
      const message = `name one of ${Object.keys(fields).join(', ')}`;
      throw invalidInput({ errors: fieldError(named[1]?.[0] ?? 'run_id', message) });
    }
    const wanted = Object.entries(fields).flatMap(([input, field]) =>
      named.flatMap(([name, value]) => (name === input ? [[field, value] as const] : [])),
    );
    const last =
      before === undefined
        ? null
        : ownedBy(workspaceId, await readModels.get(detections, detectionKey(before)));
    if (before !== undefined && last === null) {
      throw invalidInput({ errors: fieldError('before', 'is not a signal of this workspace') });
    }
    const found = await readModels.find(detections, {
      where: { workspaceId, ...Object.fromEntries(wanted) },
      sort: [
        ['detectedAt', 'desc'],
        ['id', 'desc'],
      ],
      ...(last === null ? {} : { after: [last.detectedAt, last.id] }),
      limit: limit + 1,
    });
    const rows = found.slice(0, limit);
    return {
      signals: await signalRows(readModels, workspaceId, rows),
      next: found.length > limit ? (rows.at(-1)?.id ?? null) : null,
    };
  },
});
