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
import { AUDIENCES, DIRECTIONS } from '#signals/domain/agents/agent-types.js';
import { launchBeforeAudiences } from './upcast-launch.js';

const texts = Type.Array(Type.String());

/** What a launch fixes of the persona that its detections are ranked by (OP-19) and whose market it is (D-19). */
export const LaunchPersona = Type.Object({
  personaId: Id,
  jobTitles: texts,
  excludeJobTitles: texts,
  locations: texts,
  seniorities: texts,
  /** As the persona names them: `51-200`, `10,001+`. */
  headcounts: texts,
  industries: texts,
});
export type LaunchPersona = Immutable<Static<typeof LaunchPersona>>;

export const Direction = OneOf(...DIRECTIONS);
export type Direction = Static<typeof Direction>;

/**
 * Whom a launch looks at; of several, those that are all of them.
 * network: everybody. market: companies of the persona's market (D-19) and covered ones. list_members: the
 * followed members of the list (D-14). top_accounts: the found top accounts, as they are when a batch is read
 * (D-13). covered_accounts: those that were covered for the persona when it was launched (D-16).
 */
export const Audience = OneOf(...AUDIENCES);
export type Audience = Static<typeof Audience>;

/**
 * The list of a launch about one: the members that the list followed after the event at `listRevision` of its stream.
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
      runs: Type.Array(
        Type.Object({
          runId: Id,
          direction: Direction,
          /** Of a live pass: the first run of that day and direction, whose row the list of runs shows; absent: itself. */
          shownAs: Type.Optional(Id),
        }),
        { minItems: 1 },
      ),
      trigger: OneOf('manual', 'schedule', 'monitoring'),
      now: Timestamp,
      lookbackDays: Type.Integer({ minimum: 1, maximum: 180 }),
      /** Price of one signal; "0" where signals of this launch are free. */
      unitPrice: StoredCredits,
      product: Type.String(),
      templateKey: Nullable(Type.String()),
      /** Name of the detector, the `kind` of its file. */
      detectorKind: Type.String(),
      signalTypes: Type.Array(Type.String()),
      parameters: JsonMembers,
      audiences: Type.Array(Audience, { minItems: 1 }),
      /** null: signals of this launch are not ranked, all are of top priority. */
      persona: Nullable(LaunchPersona),
      /** The persona whose covered accounts are free; null where no account is covered (D-16). */
      coveredFor: Nullable(Id),
      /** Titles of the team that is looked at, resolved at launch (D-15); null where titles do not matter. */
      targetTitles: Nullable(texts),
      /** The list of `list_members`. */
      scope: Type.Optional(LaunchScope),
      /** What all runs of the launch together may spend at most; absent: what balance and caps allow. */
      maxCredits: Type.Optional(StoredCredits),
      /** The quote that the launch was approved by: it is good for one launch. */
      quote: Type.Optional(Type.Object({ nonce: Type.String({ minLength: 1 }), expiresAt: Timestamp })),
      /** Of a live pass (LIV-01): the date after which its search begins, for the days before were searched. */
      live: Type.Optional(Type.Object({ after: Timestamp })),
    }),
    // Version 3: a program that does not know the limit of a launch stops here, for it would exceed it. Version 4: one
    // that does not know live passes stops, for it would refuse launches because of them.
    [launchBeforeAudiences, (launch) => launch, (launch) => launch],
  ),
  RunEnded: event(
    Type.Object({
      launchId: Id,
      runId: Id,
      /** As in the launch. */
      shownAs: Type.Optional(Id),
      outcome: OneOf('completed', 'completed_partial', 'failed'),
      matchesFound: Type.Integer({ minimum: 0 }),
      matchesDropped: Type.Integer({ minimum: 0 }),
      creditsSpent: StoredCredits,
      /** What was left of `maxCredits` then; absent where the launch has none. */
      creditsLeft: Type.Optional(StoredCredits),
      endedAt: Timestamp,
    }),
  ),
};
export type LaunchEvents = PayloadsOf<typeof launchEvents>;
export type RunLaunched = LaunchEvents['RunLaunched'];
export type RunEnded = LaunchEvents['RunEnded'];

/** Whether it is a daily pass; a live pass is none. */
export const isDailyPass = ({ trigger, live }: Pick<RunLaunched, 'trigger' | 'live'>): boolean =>
  trigger === 'monitoring' && live === undefined;
