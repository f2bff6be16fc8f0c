import { decider, type Decision } from '#kernel/decider.js';
import type { JsonObject } from '#kernel/json.js';
import { refusal } from '#kernel/refusal.js';
import { ended, launched, noLaunches, type Launches } from '#domain/signal-launches/launches.js';
import { agentEvents } from './agent.events.js';

export type Agent = {
  readonly exists: boolean;
  readonly type: string;
  readonly name: string;
  readonly parameters: JsonObject;
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
  initial: () => ({ exists: false, type: '', name: '', parameters: {}, launches: noLaunches }),
  on: {
    AgentCreated: (state, { data }) => ({
      ...state,
      exists: true,
      type: data.type,
      name: data.name,
      parameters: data.parameters,
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
};

export const createAgent =
  (input: CreateAgent): Decision<Agent, typeof agentEvents> =>
  (state) =>
    state.exists ? [] : [{ type: 'AgentCreated', data: input }];
