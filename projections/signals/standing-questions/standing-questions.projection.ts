import type { AgentLifeEvents } from '#signals/domain/agents/agent.events.js';
import { parametersAfter } from '#signals/domain/configuration-facts.js';
import type { SignalSetupEvents } from '#signals/domain/setups/signal-setup.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import type { Position } from '#kernel/ports/event-store.port.js';
import { ownerKeyOf } from '#projections/signals/owner-key.js';
import { projection } from '#kernel/projections/projection.js';
import type { JsonObject } from '#kernel/values/json.js';

/** The standing question of an agent or setup: the facts that determine which observations may answer it. */
export type StandingQuestionDocument = {
  readonly workspaceId: number;
  readonly ownerKind: 'agent' | 'setup';
  readonly ownerId: number;
  /** Position of the event that last changed it: readers query the changes since a position. */
  readonly changed: Position;
  /** False also for a deleted agent. */
  readonly enabled: boolean;
  readonly agentType: string | null;
  readonly templateId: number | null;
  readonly personaId: number | null;
  /** The parameters that `RELEVANT_PARAMETERS` names. */
  readonly parameters: JsonObject;
};

type Question = StandingQuestionDocument;
type Payloads = AgentLifeEvents & SignalSetupEvents;

/** One document for each agent and setup; agents and setups share one id sequence. */
export const standingQuestions = projection<StandingQuestionDocument, Payloads>()({
  name: 'standing-questions',
  version: 1,
  indexes: { byChange: ['changed', 'ownerId'] },
  key: ownerKeyOf,
  on: {
    AgentCreated: (_none, event) => ofAgent(event, true),
    LegacyAgentImported: (_none, event) => ofAgent(event, event.data.enabled),
    AgentChanged: (question, event) => question && changed(question, event, event.data.changes),
    AgentBound: (question, event) => question && typed(question, event, event.data.type),
    AgentUnbound: (question, event) => question && typed(question, event, event.data.type),
    AgentDeleted: (question, event) => question && changed(question, event, { enabled: false }),
    SignalSetupCreated: (_none, event) => ({
      workspaceId: workspaceIdOf(event),
      ownerKind: 'setup',
      ownerId: event.data.setupId,
      changed: event.position,
      enabled: true,
      agentType: null,
      templateId: event.data.templateId,
      personaId: event.data.personaId,
      parameters: relevantOf(event.data.parameters),
    }),
    SignalSetupChanged: (question, event) => question && changed(question, event, event.data.changes),
  },
});

const RELEVANT_PARAMETERS: ReadonlySet<string> = new Set([
  'tracking_keywords',
  'mode',
  'max_posts_to_scrape',
]);

const relevantOf = (parameters: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => RELEVANT_PARAMETERS.has(name)));

const ofAgent = (
  event: Recorded<{ readonly agentId: number; readonly type: string; readonly parameters: JsonObject }>,
  enabled: boolean,
): Question => ({
  workspaceId: workspaceIdOf(event),
  ownerKind: 'agent',
  ownerId: event.data.agentId,
  changed: event.position,
  enabled,
  agentType: event.data.type,
  templateId: null,
  personaId: null,
  parameters: relevantOf(event.data.parameters),
});

const changed = (
  question: Question,
  { position }: Recorded<unknown>,
  changes: SignalSetupEvents['SignalSetupChanged']['changes'],
): Question => ({
  ...question,
  changed: position,
  enabled: changes.enabled ?? question.enabled,
  parameters: relevantOf(parametersAfter(question.parameters, changes)),
});

/** An agent that loses its type loses its parameters. */
const typed = (question: Question, { position }: Recorded<unknown>, agentType: string): Question => ({
  ...question,
  changed: position,
  agentType,
  parameters: agentType === question.agentType ? question.parameters : {},
});
