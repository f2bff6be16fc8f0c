import type { EventOf } from '#kernel/events/event.js';
import type { Credits } from '#kernel/values/credits.js';
import { changedMembers, type JsonObject } from '#kernel/values/json.js';
import { refusal } from '#kernel/values/refusal.js';
import { invalidAgent } from './agent-admission.js';
import { noteBindingFaults, type WatchableList } from './agent-binding.js';
import {
  declaredParameters,
  unsupportedParameters,
  noteBlankKeywords,
  noteCompetitorChoices,
  type ParameterFaults,
} from './agent-parameters.js';
import { agentTypeOf, givesType, isSchedulable, WITHOUT_TYPE } from './agent-types.js';
import { noteLimitFault, scheduleFault } from './agent-schedule.js';
import {
  configurationChanges,
  parameterChange,
  type ParameterChange,
} from '#signals/domain/configuration-facts.js';
import { scheduleChange, type WantedSchedule } from '#signals/domain/schedules/schedule-facts.js';
import type { AgentEvents } from './agent.events.js';
import { requireAgent, type Agent, type AgentDecision } from './agent.js';
import { inheritedTitles, titlesAskedFor } from './target-persona.js';

export const isSignalSetup = refusal({
  code: 'is-a-signal-setup',
  kind: 'conflicting',
  detail: 'The id is that of a signal setup; change it with PATCH /api/v3/signal-setups/{id}.',
});

/** The changes of a PUT; absent means unchanged. The form of present members is checked. */
export type AgentPatch = {
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly parameters?: JsonObject | undefined;
  readonly watchlistId?: number | null | undefined;
  readonly watchlistKind?: 'company' | 'profile' | null | undefined;
  readonly schedule?: WantedSchedule | null | undefined;
};

export type ChangeAgentInput = {
  readonly agentId: number;
  readonly patch: AgentPatch;
  /** Faults in the form of the request: fields with a fault are absent from the patch. */
  readonly shapeFaults: ReadonlyMap<string, readonly string[]>;
  /** The workspace's list that `watchlistId` names; null if there is none. */
  readonly list: WatchableList | null;
  /** Job titles of the active personas, for an agent that gets a target group. */
  readonly personaTitles: readonly string[];
  /** The current price of one signal of an agent type; null: no price yet. */
  readonly priceOf: (type: string) => Credits | null;
  readonly now: string;
};

const KEYWORD_KEYS = ['tracking_keywords', 'start_date'];
const COMPETITOR_KEYS = ['mode', 'target_group'];

/**
 * Changes an agent as a whole or not at all (OP-33). The rules apply to the agent after the request, and all faults
 * are named at once. Values that stay the same are not recorded.
 */
export const changeAgent =
  (input: ChangeAgentInput): AgentDecision =>
  (state) => {
    const known = requireAgent(state);
    const binding = bindingOf(known, input);
    const type = binding?.type ?? known.type;
    const stored = type === known.type ? known.parameters : {};
    const change = parameterChange(stored, declaredParameters(type, input.patch.parameters ?? {}));
    const parameters = changedMembers(stored, change.set, change.removed);
    const faults = faultsOf(known, input, type, parameters);
    if (faults.size > 0) throw invalidAgent({ errors: faults });
    return [
      ...bindingEvents(known, input, binding),
      ...changeEvents(known, input, change),
      ...scheduleEvents(known, input, isSchedulable(type, parameters)),
    ];
  };

type Binding = { readonly to: 'list' | 'none'; readonly type: string } | null;

/** The change of the binding to a list; null if it stays. */
function bindingOf({ type, watchlist }: Agent, { patch, list }: ChangeAgentInput): Binding {
  const { watchlistId } = patch;
  if (watchlistId === undefined || watchlistId === (watchlist?.id ?? null)) return null;
  // An agent whose type depends on its list loses its type without it.
  if (watchlistId === null) return { to: 'none', type: givesType(type) ? WITHOUT_TYPE : type };
  const takesTypeOfList = type === WITHOUT_TYPE && list !== null && givesType(list.type);
  return { to: 'list', type: takesTypeOfList ? list.type : type };
}

function faultsOf(
  known: Agent,
  input: ChangeAgentInput,
  type: string,
  parameters: JsonObject,
): ParameterFaults {
  const { patch } = input;
  const faults: ParameterFaults = new Map(input.shapeFaults);
  noteBindingFaults(known, { ...patch, list: input.list }, faults);
  const sent = patch.parameters ?? {};
  noteBlankKeywords(sent['tracking_keywords'], faults);
  for (const unsupported of unsupportedParameters(type, sent))
    faults.set(`parameters.${unsupported}`, [`is not a parameter of ${type} agents`]);
  noteCompetitorChoices(sent, faults);
  const isSent = (key: string): boolean => Object.hasOwn(sent, key);
  if (KEYWORD_KEYS.some(isSent)) {
    for (const key of COMPETITOR_KEYS.filter(isSent))
      faults.set(`parameters.${key}`, [`cannot be sent together with ${KEYWORD_KEYS.join(' or ')}`]);
  }
  if (patch.schedule) {
    // An agent has a type that depends on a list only while it is bound to one.
    const unscheduled = scheduleFault(type, parameters, true);
    if (unscheduled !== null) faults.set('schedule', [unscheduled]);
    else if (patch.enabled === false)
      faults.set('schedule', ['cannot be switched on while the agent is disabled']);
    else noteLimitFault(patch.schedule, input.priceOf(type), faults);
  }
  return faults;
}

function bindingEvents(
  { type, watchlist }: Agent,
  { agentId, patch, list, personaTitles }: ChangeAgentInput,
  binding: Binding,
): readonly EventOf<AgentEvents>[] {
  if (binding === null) return [];
  if (binding.to === 'none')
    return watchlist === null
      ? []
      : [{ type: 'AgentUnbound', data: { agentId, listId: watchlist.id, type: binding.type } }];
  const { watchlistId } = patch;
  if (list === null || typeof watchlistId !== 'number') return [];
  const getsTitles = binding.type !== type && agentTypeOf(binding.type)?.hasTargetGroup === true;
  return [
    {
      type: 'AgentBound',
      data: {
        agentId,
        type: binding.type,
        listId: watchlistId,
        listKind: list.kind,
        replacedListId: watchlist?.id ?? null,
        ...(getsTitles && { resolvedTargetPersona: [...inheritedTitles(personaTitles)] }),
      },
    },
  ];
}

function changeEvents(
  known: Agent,
  { agentId, patch }: ChangeAgentInput,
  change: ParameterChange,
): readonly EventOf<AgentEvents>[] {
  const changes = { ...configurationChanges(known, patch, change), ...titlesAskedFor(change.set) };
  return Object.keys(changes).length === 0 ? [] : [{ type: 'AgentChanged', data: { agentId, changes } }];
}

/** A schedule is removed with its precondition. Switched on again while it is on, it keeps its anchor (OP-17). */
function scheduleEvents(
  known: Agent,
  { agentId, patch, now }: ChangeAgentInput,
  schedulable: boolean,
): readonly EventOf<AgentEvents>[] {
  const stays = known.scheduleAnchorAt === null ? null : {};
  const wanted = schedulable ? (patch.schedule === undefined ? stays : patch.schedule) : null;
  return scheduleChange({ ownerKind: 'agent', ownerId: agentId }, known, wanted, now);
}
