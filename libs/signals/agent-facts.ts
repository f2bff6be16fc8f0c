import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { activePersonas, personas } from '#lists/domain/personas/personas.js';
import { knownList } from '#lists/known-lists.js';
import type { WatchableList } from '#signals/domain/agents/agent-binding.js';
import { agentTypeOf } from '#signals/domain/agents/agent-types.js';

/** Facts that the rules of agents need besides the agent. */
export type AgentFacts = {
  readonly list: WatchableList | null;
  /** Job titles of the active personas; looked up only for a list whose agents have a target group. */
  readonly personaTitles: readonly string[];
};

/** The titles that an agent inherits come from at most this many active personas. */
const MAX_PERSONAS = 1_000;

/** Facts for the list that a request names; null: no list. */
export async function agentFacts(
  ports: { readonly commands: Pick<Commands, 'load' | 'loadEach'>; readonly readModels: ReadModels },
  workspaceId: number,
  listId: number | null,
): Promise<AgentFacts> {
  const list = await knownList(ports, workspaceId, listId);
  const needsTitles = agentTypeOf(list?.type ?? '')?.hasTargetGroup === true;
  return { list, personaTitles: needsTitles ? await personaTitles(ports.commands, workspaceId) : [] };
}

/** By their stream: a read model may be late. */
const personaTitles = (commands: Pick<Commands, 'load'>, workspaceId: number): Promise<readonly string[]> =>
  commands.load(personas, String(workspaceId), (state) =>
    activePersonas(state)
      .slice(0, MAX_PERSONAS)
      .flatMap(({ facts }) => facts.jobTitle ?? []),
  );
