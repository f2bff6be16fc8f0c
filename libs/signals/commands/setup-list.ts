import { Id, Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';
import { limitOf } from '#projections/signals/schedules/stored-schedule.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';

const SetupRow = Type.Object({
  setup_id: Id,
  name: Type.String(),
  template_key: Type.String(),
  enabled: Type.Boolean(),
  weekly: Type.Boolean(),
  /** The limit of each launch of the schedule; null: no limit. */
  max_credits: Nullable(Type.Number()),
  list_id: Nullable(Id),
  persona_id: Nullable(Id),
  created_at: Timestamp,
});

export const setupList = operatorCommand({
  name: 'setup.list',
  forFinance: true,
  summary: 'List the signal setups of a workspace',
  input: Type.Object({ workspace_id: WorkspaceId, ...pageInput }),
  output: Type.Object({ ...PageAnswer, setups: Type.Array(SetupRow) }),
  async run({ requireWorkspace, readModels }, { workspace_id: workspaceId, ...asked }) {
    await requireWorkspace(workspaceId);
    const wanted = { where: { workspaceId }, sort: [['id', 'asc']] as const };
    const { rows, numbers } = await readPage(readModels, signalSetups, wanted, asked);
    return {
      ...numbers,
      setups: rows.map((setup) => ({
        setup_id: setup.id,
        name: setup.name,
        template_key: setup.templateKey,
        enabled: setup.status === 'enabled',
        weekly: setup.schedule !== null,
        max_credits: limitOf(setup.schedule),
        list_id: setup.listId,
        persona_id: setup.personaId,
        created_at: setup.created_at,
      })),
    };
  },
});
