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

export const RUN_TRIGGERS = ['manual', 'schedule', 'monitoring'] as const;
export const RUN_OUTCOMES = ['completed', 'completed_partial', 'failed'] as const;

const texts = Type.Array(Type.String());

/** The part of the persona that a launch fixes: it ranks detections (OP-19) and defines the market (D-19). */
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
 * The audiences of a launch; with several, their intersection. network: everybody. market: companies of the persona's
 * market (D-19) and covered ones. list_members: the followed members of the list (D-14). top_accounts: the found top
 * accounts at the time a batch is read (D-13). covered_accounts: the accounts covered for the persona at the launch
 * (D-16).
 */
export const Audience = OneOf(...AUDIENCES);
export type Audience = Static<typeof Audience>;

/**
 * The list of a launch: the members that the list followed after the event at `listRevision` of its stream. A list
 * can have thousands of members, so it is named and not copied; its stream determines the members at that revision.
 */
export const LaunchScope = Type.Object({
  kind: OneOf('list'),
  listId: Id,
  listRevision: Type.String({ pattern: '^\\d{1,19}$' }),
});
export type LaunchScope = Immutable<Static<typeof LaunchScope>>;

/** The totals of a run in its end. */
export const RunCounts = {
  matchesFound: Type.Integer({ minimum: 0 }),
  matchesDropped: Type.Integer({ minimum: 0 }),
  creditsSpent: StoredCredits,
};

/**
 * Events of a launch on the stream of the launched setup or agent. RunLaunched fixes everything that the runs need,
 * so a later change of parameters, persona or price affects only the next launch.
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
          /**
           * In a live pass: the first run of that day and direction, which the list of runs shows; absent: the run
           * itself.
           */
          shownAs: Type.Optional(Id),
        }),
        { minItems: 1 },
      ),
      trigger: OneOf(...RUN_TRIGGERS),
      now: Timestamp,
      lookbackDays: Type.Integer({ minimum: 1, maximum: 180 }),
      /** Price of one signal; "0" if signals of this launch are free. */
      unitPrice: StoredCredits,
      product: Type.String(),
      templateKey: Nullable(Type.String()),
      /** Name of the detector: the `kind` in its file. */
      detectorKind: Type.String(),
      signalTypes: Type.Array(Type.String()),
      parameters: JsonMembers,
      audiences: Type.Array(Audience, { minItems: 1 }),
      /** null: signals of this launch are not ranked, all have top priority. */
      persona: Nullable(LaunchPersona),
      /** The persona whose covered accounts are free; null if no account is covered (D-16). */
      coveredFor: Nullable(Id),
      /** Titles of the tracked team, resolved at launch (D-15); null if titles do not matter. */
      targetTitles: Nullable(texts),
      /** The list of `list_members`. */
      scope: Type.Optional(LaunchScope),
      /** The limit over all runs of the launch; absent: only balance and caps limit it. */
      maxCredits: Type.Optional(StoredCredits),
      /** The quote that approved the launch; a quote is valid for one launch. */
      quote: Type.Optional(Type.Object({ nonce: Type.String({ minLength: 1 }), expiresAt: Timestamp })),
      /**
       * In a live pass (LIV-01): the time after which its search begins, because earlier days were already searched.
       */
      live: Type.Optional(Type.Object({ after: Timestamp })),
    }),
    // Version 3: a program that does not know launch limits stops here, because it would exceed them. Version 4: a
    // program that does not know live passes stops, because it would refuse launches during one.
    [launchBeforeAudiences, (launch) => launch, (launch) => launch],
  ),
  RunEnded: event(
    Type.Object({
      launchId: Id,
      runId: Id,
      /** As in the launch. */
      shownAs: Type.Optional(Id),
      outcome: OneOf(...RUN_OUTCOMES),
      ...RunCounts,
      /** The rest of `maxCredits` at that time; absent if the launch has no limit. */
      creditsLeft: Type.Optional(StoredCredits),
      /** The other runs of the launch, which have the same rest; absent if there is none, or no limit. */
      sharedWith: Type.Optional(Type.Array(Id, { minItems: 1 })),
      endedAt: Timestamp,
    }),
  ),
};
export type LaunchEvents = PayloadsOf<typeof launchEvents>;
export type RunLaunched = LaunchEvents['RunLaunched'];
export type RunEnded = LaunchEvents['RunEnded'];

/** Whether it is a daily pass; a live pass is not one. */
export const isDailyPass = ({ trigger, live }: Pick<RunLaunched, 'trigger' | 'live'>): boolean =>
  trigger === 'monitoring' && live === undefined;
