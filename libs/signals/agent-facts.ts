import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { WatchableList } from '#signals/domain/agents/agent-binding.js';
import { agentTypeOf } from '#signals/domain/agents/agent-types.js';
import { listKey, lists } from '#projections/lists/lists/lists.projection.js';
import { personas } from '#projections/lists/personas/personas.projection.js';

/** What the rules of agents need to know beside the agent. */
export type AgentFacts = {
  readonly list: WatchableList | null;
  /** Job titles of the active personas; only looked up for a list whose agents have a target group. */
  readonly personaTitles: readonly string[];
};

/** Of the list that a request names; null for none. */
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

/** Active personas beyond these are not looked at for the titles that an agent inherits. */
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
