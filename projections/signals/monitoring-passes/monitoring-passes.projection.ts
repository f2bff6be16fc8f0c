import { agentTypeOf } from '#signals/domain/agents/agent-types.js';
import type { AgentLifeEvents } from '#signals/domain/agents/agent.events.js';
import { parametersAfter } from '#signals/domain/configuration-facts.js';
import {
  lastDueUntil,
  passDueAfter,
  type ScheduleEvents,
} from '#signals/domain/schedules/schedule.events.js';
import { isDailyPass, type LaunchEvents } from '#signals/domain/launches/launch.events.js';
import type { SignalSetupEvents } from '#signals/domain/setups/signal-setup.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import type { JsonObject } from '#kernel/values/json.js';
import { HOUR_MS } from '#kernel/values/durations.js';
import { ownerKeyOf } from '#projections/signals/owner-key.js';
import { projection } from '#kernel/projections/projection.js';

/** An agent or setup with the facts that determine its next monitoring pass. */
export type MonitoringPassDocument = {
  readonly workspaceId: number;
  readonly ownerKind: 'agent' | 'setup';
  readonly ownerId: number;
  readonly enabled: boolean;
  /** When it was created or last enabled; due times are counted from then. */
  readonly anchorAt: string;
  /** When its weekly schedule was switched on; null while it is off. */
  readonly weeklyAnchorAt: string | null;
  /** The due time of its next pass; null if it has none. */
  readonly dueAt: string | null;
  /** Id of the event that the due times are counted from: the cause of its passes. */
  readonly causeId: string;
  /** For an agent: the facts that determine whether it has passes. */
  readonly agent: { readonly type: string; readonly choices: JsonObject } | null;
};

type Pass = MonitoringPassDocument;
type Payloads = AgentLifeEvents &
  SignalSetupEvents &
  Pick<ScheduleEvents, 'MonitoringPassSkipped' | 'ScheduleSwitchedOn' | 'ScheduleSwitchedOff'> &
  Pick<LaunchEvents, 'RunLaunched'>;

/** Due times of daily passes: one document for each agent and setup, with or without passes. */
export const monitoringPasses = projection<MonitoringPassDocument, Payloads>()({
  name: 'monitoring-passes',
  version: 2,
  critical: true,
  indexes: { due: ['dueAt', 'ownerId'], byWorkspace: ['workspaceId', 'dueAt', 'ownerId'] },
  key: ownerKeyOf,
  on: {
    AgentCreated: (_none, event) => ofAgent(event),
    LegacyAgentImported: (_none, event) =>
      switched(ofAgent(event), event, event.data.enabled, recordedAtOf(event)),
    SignalSetupCreated: (_none, event) => {
      const { setupId, createdAt } = event.data;
      return first(event, { ownerKind: 'setup', ownerId: setupId, anchorAt: createdAt, agent: null });
    },
    AgentChanged: (pass, event) => {
      if (pass === null) return null;
      const { enabled, parameters = {}, removedParameters } = event.data.changes;
      const changes = { parameters: choicesOf(parameters), removedParameters };
      const agent = pass.agent && { ...pass.agent, choices: parametersAfter(pass.agent.choices, changes) };
      return switched({ ...pass, agent }, event, enabled, recordedAtOf(event));
    },
    AgentBound: (pass, event) => pass && typed(pass, event, event.data.type),
    AgentUnbound: (pass, event) => pass && typed(pass, event, event.data.type),
    AgentDeleted: () => null,
    SignalSetupChanged: (pass, event) =>
      pass && switched(pass, event, event.data.changes.enabled, event.data.changedAt),
    ScheduleSwitchedOn: (pass, { data }) => pass && scheduled(pass, data.anchorAt),
    ScheduleSwitchedOff: (pass) => pass && scheduled(pass, null),
    MonitoringPassSkipped: (pass, { data }) => pass && after(pass, data.dueAt),
    RunLaunched: (pass, { data }) => (pass && isDailyPass(data) ? after(pass, data.now) : pass),
  },
});

/** Only choices determine the passes, so the lists, which may be long, are left out. */
const choicesOf = (parameters: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => !Array.isArray(value)));

const hasPasses = ({ agent }: Pick<Pass, 'agent'>): boolean =>
  agent === null || (agentTypeOf(agent.type)?.pass(agent.choices) ?? null) !== null;

/** A pass waits this long for a weekly run of the same agent or setup, because its own run would let that one be skipped. */
const BEFORE_WEEKLY_MS = HOUR_MS;

/** The first pass after the due times up to `moment`. */
const after = (pass: Pass, moment: string): Pass => ({
  ...pass,
  dueAt: pass.enabled && hasPasses(pass) ? notBeforeWeekly(pass, passDueAfter(pass.anchorAt, moment)) : null,
});

/** The due time of a pass, or that of a weekly run which falls due soon after it. */
function notBeforeWeekly({ weeklyAnchorAt }: Pass, dueAt: string): string {
  if (weeklyAnchorAt === null) return dueAt;
  const until = new Date(Date.parse(dueAt) + BEFORE_WEEKLY_MS).toISOString();
  const weekly = lastDueUntil(weeklyAnchorAt, until);
  return weekly !== null && weekly > dueAt ? weekly : dueAt;
}

function first(
  event: Recorded<unknown>,
  owner: Pick<Pass, 'ownerKind' | 'ownerId' | 'anchorAt' | 'agent'>,
): Pass {
  const workspaceId = workspaceIdOf(event);
  const pass = { ...owner, workspaceId, enabled: true, weeklyAnchorAt: null, dueAt: null, causeId: event.id };
  return after(pass, owner.anchorAt);
}

/** The same pass, at its own due time or at that of a weekly run. */
function scheduled(pass: Pass, weeklyAnchorAt: string | null): Pass {
  const changed = { ...pass, weeklyAnchorAt };
  if (pass.dueAt === null) return changed;
  return after(changed, new Date(Date.parse(pass.dueAt) - BEFORE_WEEKLY_MS - 1).toISOString());
}

function ofAgent(
  event: Recorded<Pick<AgentLifeEvents['AgentCreated'], 'agentId' | 'type' | 'parameters'>>,
): Pass {
  const { agentId, type, parameters } = event.data;
  const agent = { type, choices: choicesOf(parameters) };
  return first(event, { ownerKind: 'agent', ownerId: agentId, anchorAt: recordedAtOf(event), agent });
}

/** Passes that were due while it was disabled are not made up for: due times are counted from the enabling. */
function switched(
  pass: Pass,
  event: Recorded<unknown>,
  enabled: boolean | undefined,
  changedAt: string,
): Pass {
  if (enabled === true) return after({ ...pass, enabled, anchorAt: changedAt, causeId: event.id }, changedAt);
  if (enabled === false) return { ...pass, enabled, dueAt: null };
  return begun(pass, changedAt);
}

/** With another type it may gain or lose its passes. */
function typed(pass: Pass, event: Recorded<unknown>, type: string): Pass {
  if (pass.agent === null) return pass;
  const choices = type === pass.agent.type ? pass.agent.choices : {};
  return begun({ ...pass, agent: { type, choices } }, recordedAtOf(event));
}

/** An agent that had no passes starts at its next due time; one that had passes keeps its due time. */
function begun(pass: Pass, changedAt: string): Pass {
  if (pass.dueAt === null) return after(pass, changedAt);
  return hasPasses(pass) ? pass : { ...pass, dueAt: null };
}
