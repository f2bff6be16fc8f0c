import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { WatchableList } from '#signals/domain/agents/agent-binding.js';
import { agentTypeOf } from '#signals/domain/agents/agent-types.js';
import { listKey, lists } from '#projections/lists/lists/lists.projection.js';
import { personas } from '#projections/lists/personas/personas.projection.js';

/** Facts that the rules of agents need besides the agent. */
export type AgentFacts = {
  readonly list: WatchableList | null;
  /** Job titles of the active personas; looked up only for a list whose agents have a target group. */
  readonly personaTitles: readonly string[];
};

/** Facts for the list that a request names; null: no list. */
export async function agentFacts(
  readModels: ReadModels,
  workspaceId: number,
  listId: number | null,
): Promise<AgentFacts> {
  const list = listId === null ? null : await watchableList(readModels, workspaceId, listId);
  const needsTitles = agentTypeOf(list?.type ?? '')?.hasTargetGroup === true;
  return { list, personaTitles: needsTitles ? await personaTitles(readModels, workspaceId) : [] };
}

async function watchableList(
  readModels: ReadModels,
  workspaceId: number,
  listId: number,
): Promise<WatchableList | null> {
  const list = await readModels.get(lists, listKey(workspaceId, listId));
  return list === null || list.deleted ? null : { type: list.type, kind: list.kind, archived: list.archived };
}

/** The titles that an agent inherits come from at most this many active personas. */
const MAX_PERSONAS = 1_000;

async function personaTitles(readModels: ReadModels, workspaceId: number): Promise<readonly string[]> {
  const active = await readModels.find(personas, {
    where: { workspaceId, archived: false },
    sort: [
      ['createdAt', 'asc'],
      ['id', 'asc'],
    ],
    limit: MAX_PERSONAS,
  });
  return active.flatMap(({ job_title }) => job_title ?? []);
}
