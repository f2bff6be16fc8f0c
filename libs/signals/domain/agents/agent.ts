import { decider, type Decision } from '#kernel/commands/decider.js';
import type { JsonObject } from '#kernel/values/json.js';
import type { Recorded } from '#kernel/events/event.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { refusal } from '#kernel/values/refusal.js';
import { parametersAfter } from '#signals/domain/configuration-facts.js';
import {
  limitedTo,
  noSchedule,
  switchedOn,
  type KeptSchedule,
} from '#signals/domain/schedules/schedule-facts.js';
import {
  ended,
  launch,
  launched,
  livePass,
  noLaunches,
  pass,
  passedAt,
  tick,
  type Launches,
} from '#signals/domain/launches/launches.js';
import type { RunLaunched } from '#signals/domain/launches/launch.events.js';
import { agentEvents, type AgentEvents } from './agent.events.js';

export type Watchlist = { readonly id: number; readonly kind: 'company' | 'profile' };

export type Agent = KeptSchedule & {
  readonly exists: boolean;
  /** No endpoint returns a deleted agent; its runs are completed. */
  readonly deleted: boolean;
  readonly type: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly parameters: JsonObject;
  readonly watchlist: Watchlist | null;
  /** The titles of a competitor agent; null for an agent that never was one. */
  readonly resolvedTargetPersona: readonly string[] | null;
  readonly lastTickAt: string | null;
  /** When it was created or last enabled. */
  readonly monitoredSince: string;
  readonly lastPassDueAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly launches: Launches;
};

export const unknownAgent = refusal({
  code: 'unknown-agent',
  kind: 'missing',
  detail: 'There is no agent with this id in the workspace.',
});

export const agent = decider<Agent>()({
  category: 'agent',
  scope: 'workspace',
  vocabulary: agentEvents,
  strict: true,
  initial: () => ({
    exists: false,
    deleted: false,
    type: '',
    name: '',
    enabled: true,
    parameters: {},
    watchlist: null,
    resolvedTargetPersona: null,
    ...noSchedule,
    monitoredSince: '',
    lastPassDueAt: null,
    createdAt: '',
    updatedAt: '',
    launches: noLaunches,
  }),
  on: {
    AgentCreated: (state, event) => born(state, event, { enabled: true, createdAt: recordedAtOf(event) }),
    LegacyAgentImported: (state, event) => born(state, event, event.data),
    AgentChanged: (state, event) => {
      const { changes } = event.data;
      const { name = state.name, enabled = state.enabled } = changes;
      return {
        ...state,
        name,
        enabled,
        monitoredSince: changes.enabled === true ? recordedAtOf(event) : state.monitoredSince,
        parameters: parametersAfter(state.parameters, changes),
        resolvedTargetPersona: changes.resolvedTargetPersona ?? state.resolvedTargetPersona,
        updatedAt: recordedAtOf(event),
      };
    },
    AgentBound: (state, event) => ({
      ...state,
      type: event.data.type,
      watchlist: { id: event.data.listId, kind: event.data.listKind },
      resolvedTargetPersona: event.data.resolvedTargetPersona ?? state.resolvedTargetPersona,
      updatedAt: recordedAtOf(event),
    }),
    AgentUnbound: (state, event) => ({
      ...state,
      type: event.data.type,
      // With its type an agent loses its parameters.
      ...(event.data.type !== state.type && { parameters: {}, resolvedTargetPersona: null }),
      watchlist: null,
      updatedAt: recordedAtOf(event),
    }),
    AgentDeleted: (state) => ({ ...state, deleted: true, watchlist: null }),
    ScheduleSwitchedOn: (state, event) => ({
      ...state,
      ...switchedOn(event.data.anchorAt),
      updatedAt: recordedAtOf(event),
    }),
    ScheduleSwitchedOff: (state, event) => ({ ...state, ...noSchedule, updatedAt: recordedAtOf(event) }),
    ScheduleLimitSet: (state, event) => ({
      ...state,
      ...limitedTo(event.data),
      updatedAt: recordedAtOf(event),
    }),
    ScheduleTicked: (state, { data }) => ({ ...state, lastTickAt: data.dueAt }),
    MonitoringPassSkipped: (state, { data }) => ({ ...state, lastPassDueAt: data.dueAt }),
    RunLaunched: (state, { data }) => ({
      ...state,
      launches: launched(state.launches, data),
      lastPassDueAt: passedAt(data, state.lastPassDueAt),
    }),
    RunEnded: (state, { data }) => ({ ...state, launches: ended(state.launches, data) }),
  },
});

function born(
  state: Agent,
  event: Recorded<Pick<AgentEvents['AgentCreated'], 'type' | 'name' | 'parameters'>>,
  { enabled, createdAt }: Pick<Agent, 'enabled' | 'createdAt'>,
): Agent {
  const { type, name, parameters } = event.data;
  const at = recordedAtOf(event);
  return {
    ...state,
    exists: true,
    type,
    name,
    enabled,
    parameters,
    monitoredSince: at,
    createdAt,
    updatedAt: at,
  };
}

export type AgentDecision = Decision<Agent, typeof agentEvents>;

/** Throws `unknownAgent` for an agent that never existed or was deleted. */
export function requireAgent(state: Agent): Agent {
  if (!state.exists || state.deleted) throw unknownAgent();
  return state;
}

/** Its runs in progress stop at their next batch; their findings stay. */
export const deleteAgent =
  (agentId: number): AgentDecision =>
  (state) => {
    const { watchlist } = requireAgent(state);
    return [{ type: 'AgentDeleted', data: { agentId, listId: watchlist?.id ?? null } }];
  };

/** A launch by hand: a disabled agent may be launched, a deleted one may not. */
export const launchAgent =
  (input: RunLaunched): AgentDecision =>
  (state) =>
    launch(input)(requireAgent(state));

/** A decision about the launches of an agent; an agent that never existed or was deleted launches nothing. */
const whileItExists =
  <Input>(decide: (input: Input) => AgentDecision) =>
  (input: Input): AgentDecision =>
  (state) =>
    state.exists && !state.deleted ? decide(input)(state) : [];

export const tickAgent = whileItExists(tick);

/** Launches a live pass. */
export const livePassAgent = whileItExists(livePass);

/** Launches or skips a monitoring pass that is due. */
export const passAgent = whileItExists(pass);
