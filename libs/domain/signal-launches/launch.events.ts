import { event, type Immutable, type PayloadsOf } from '#kernel/events/event.js';
import {
  Id,
  JsonMembers,
  Nullable,
  OneOf,
  StoredCredits,
  Timestamp,
  Type,
  type Static,
} from '#kernel/values/schema.js';

/** What a launch fixes of the persona that its detections are ranked by (OP-19). */
export const PersonaFacts = Type.Object({
  personaId: Id,
  jobTitles: Type.Array(Type.String()),
  excludeJobTitles: Type.Array(Type.String()),
  locations: Type.Array(Type.String()),
  seniorities: Type.Array(Type.String()),
});
export type PersonaFacts = Immutable<Static<typeof PersonaFacts>>;

export const Direction = OneOf('single', 'inbound', 'outbound');
export type Direction = Static<typeof Direction>;

/**
 * Whom a launch looks at: the members that the list followed after the event at `listRevision` of its stream.
 * A list of thousands is named and not copied; what it was at that revision, its stream says for ever.
 */
export const LaunchScope = Type.Object({
  kind: OneOf('list'),
  listId: Id,
  listRevision: Type.String({ pattern: '^\\d{1,19}$' }),
});
export type LaunchScope = Immutable<Static<typeof LaunchScope>>;

/**
 * Events of a launch on the stream of the setup or agent that is launched. RunLaunched fixes everything the
 * runs will need, so a later change of parameters, persona or price touches only the next launch.
 */
export const launchEvents = {
  RunLaunched: event(
    Type.Object({
      launchId: Id,
      source: Type.Object({ kind: OneOf('setup', 'agent'), id: Id }),
      runs: Type.Array(Type.Object({ runId: Id, direction: Direction }), { minItems: 1 }),
      trigger: OneOf('manual', 'schedule', 'monitoring'),
      now: Timestamp,
      lookbackDays: Type.Integer({ minimum: 1, maximum: 180 }),
      /** Price of one signal; "0" where signals of this launch are free. */
      unitPrice: StoredCredits,
      product: Type.String(),
      templateKey: Nullable(Type.String()),
      detectorKind: Type.String(),
      signalTypes: Type.Array(Type.String()),
      parameters: JsonMembers,
      /** null: signals of this launch are not ranked, all are of top priority. */
      persona: Nullable(PersonaFacts),
      /** Who is looked at; absent: everybody on the network. */
      scope: Type.Optional(LaunchScope),
    }),
  ),
  RunEnded: event(
    Type.Object({
      launchId: Id,
      runId: Id,
      outcome: OneOf('completed', 'completed_partial', 'failed'),
      matchesFound: Type.Integer({ minimum: 0 }),
      matchesDropped: Type.Integer({ minimum: 0 }),
      creditsSpent: StoredCredits,
      endedAt: Timestamp,
    }),
  ),
};
export type LaunchEvents = PayloadsOf<typeof launchEvents>;
export type RunLaunched = LaunchEvents['RunLaunched'];
export type RunEnded = LaunchEvents['RunEnded'];
