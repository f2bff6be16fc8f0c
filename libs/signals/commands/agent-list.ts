import { Id, Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { agents } from '#projections/signals/agents/agents.projection.js';
import { limitOf } from '#projections/signals/schedules/stored-schedule.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';

const AgentRow = Type.Object({
  agent_id: Id,
  name: Type.String(),
  type: Type.String(),
  enabled: Type.Boolean(),
  weekly: Type.Boolean(),
  /** The limit of each launch of the schedule; null: no limit. */
  max_credits: Nullable(Type.Number()),
  list_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const agentList = operatorCommand({
  name: 'agent.list',
  forFinance: true,
  summary: 'List the agents of a workspace',
  input: Type.Object({ workspace_id: WorkspaceId, ...pageInput }),
  output: Type.Object({ ...PageAnswer, agents: Type.Array(AgentRow) }),
  async run({ requireWorkspace, readModels }, { workspace_id: workspaceId, ...asked }) {
    await requireWorkspace(workspaceId);
    const wanted = { where: { workspaceId }, sort: [['id', 'asc']] as const };
    const { rows, numbers } = await readPage(readModels, agents, wanted, asked);
    return {
      ...numbers,
      agents: rows.map((agent) => ({
        agent_id: agent.id,
        name: agent.name,
        type: agent.type,
        enabled: agent.enabled,
        weekly: agent.schedule !== null,
        max_credits: limitOf(agent.schedule),
        list_id: agent.watchlist_id,
        created_at: agent.created_at,
        updated_at: agent.updated_at,
      })),
    };
  },
});
