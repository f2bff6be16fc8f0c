import { decider, type Decision } from '#kernel/decider.js';
import type { JsonObject } from '#kernel/json.js';
import { recordedAtOf } from '#kernel/recorded-at.js';
import { refusal } from '#kernel/refusal.js';
import { ended, launched, noLaunches, type Launches } from '#domain/signal-launches/launches.js';
import { agentEvents } from './agent.events.js';

export type Agent = {
  readonly exists: boolean;
  readonly type: string;
  readonly name: string;
  readonly parameters: JsonObject;
  /** When the weekly schedule was switched on; null while it is off. */
  readonly scheduleAnchorAt: string | null;
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
  vocabulary: agentEvents,
  strict: true,
  initial: () => ({
    exists: false,
    type: '',
    name: '',
    parameters: {},
    scheduleAnchorAt: null,
    createdAt: '',
    updatedAt: '',
    launches: noLaunches,
  }),
  on: {
    AgentCreated: (state, event) => ({
      ...state,
      exists: true,
      type: event.data.type,
      name: event.data.name,
      parameters: event.data.parameters,
      createdAt: recordedAtOf(event),
      updatedAt: recordedAtOf(event),
    }),
    ScheduleSwitchedOn: (state, event) => ({
      ...state,
      scheduleAnchorAt: event.data.anchorAt,
      updatedAt: recordedAtOf(event),
    }),
    ScheduleSwitchedOff: (state, event) => ({
      ...state,
      scheduleAnchorAt: null,
      updatedAt: recordedAtOf(event),
    }),
    RunLaunched: (state, { data }) => ({ ...state, launches: launched(state.launches, data) }),
    RunEnded: (state, { data }) => ({ ...state, launches: ended(state.launches, data) }),
  },
});

export type CreateAgent = {
  readonly agentId: number;
  readonly type: string;
  readonly name: string;
  readonly parameters: JsonObject;
  /** When its weekly schedule begins; absent or null for none. */
  readonly scheduleAnchorAt?: string | null;
};

export const createAgent =
  ({ scheduleAnchorAt = null, ...created }: CreateAgent): Decision<Agent, typeof agentEvents> =>
  (state) => {
    if (state.exists) return [];
    const creation = { type: 'AgentCreated' as const, data: created };
    if (scheduleAnchorAt === null) return [creation];
    const owner = { ownerKind: 'agent', ownerId: created.agentId } as const;
    return [
      creation,
      { type: 'ScheduleSwitchedOn', data: { ...owner, cadence: 'weekly', anchorAt: scheduleAnchorAt } },
    ];
  };
