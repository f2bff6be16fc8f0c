import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';
import { monitoringPasses } from '#projections/signals/monitoring-passes/monitoring-passes.projection.js';
import { schedules, type ScheduleDocument } from '#projections/signals/schedules/schedules.projection.js';
import { launchedBy } from './launched-by.js';

type Due = Pick<ScheduleDocument, 'ownerKind' | 'ownerId' | 'anchorAt' | 'dueAt'>;
const views = { weekly: schedules, daily: monitoringPasses } as const;

export const scheduleList = operatorCommand({
  name: 'schedule.list',
  forFinance: true,
  summary:
    'List the next runs of the agents and setups of a workspace, soonest first: weekly runs or daily passes',
  input: Type.Object({
    workspace_id: WorkspaceId,
    cadence: Type.Optional(
      described('weekly: scheduled runs (default); daily: monitoring passes', OneOf('weekly', 'daily')),
    ),
    ...pageInput,
  }),
  output: Type.Object({
    ...PageAnswer,
    schedules: Type.Array(
      Type.Object({
        agent_id: Id,
        kind: OneOf('agent', 'setup'),
        name: Nullable(Type.String()),
        due_at: Timestamp,
        /** The start from which due times are counted. */
        anchor_at: Nullable(Timestamp),
      }),
    ),
  }),
  async run({ readModels, requireWorkspace }, { workspace_id: workspaceId, cadence = 'weekly', ...asked }) {
    await requireWorkspace(workspaceId);
    const { rows, numbers } = await readPage<Due>(
      readModels,
      views[cadence],
      {
        where: { workspaceId, dueAt: { gt: '' } },
        sort: [
          ['dueAt', 'asc'],
          ['ownerId', 'asc'],
        ],
      },
      asked,
    );
    const launched = await launchedBy(
      readModels,
      workspaceId,
      rows.map(({ ownerId }) => ownerId),
    );
    return {
      ...numbers,
      schedules: rows.map(({ ownerKind, ownerId, anchorAt, dueAt }) => ({
        agent_id: ownerId,
        kind: ownerKind,
        name: launched(ownerId)?.name ?? null,
        due_at: dueAt ?? '',
        anchor_at: anchorAt,
      })),
    };
  },
});
