import { event, type Immutable, type PayloadsOf, type CompletePayloads } from '#kernel/events/event.js';
import type { CompanyMentions } from '#identities/domain/companies/company-mentions-facts.js';
import { FAILED_REASONS, REQUEST_TYPES } from '#accounts/domain/content-requests/content-request.events.js';
import {
  Day,
  Id,
  Nullable,
  OneOf,
  StoredCredits,
  Timestamp,
  Type,
  type Static,
} from '#kernel/values/schema.js';

export const TOP_ACCOUNT_TIERS = ['Tier 1', 'Tier 2', 'Tier 3'] as const;
export const TopAccountTier = OneOf(...TOP_ACCOUNT_TIERS);
export type TopAccountTier = Static<typeof TopAccountTier>;

/** Why a submitted account was not found (OP-54). */
export const NOT_FOUND_REASONS = [
  'lookup_failed',
  'multiple_domain_matches',
  'resolution_failed',
  'wrong_entity_type',
  'invalid_identifier',
] as const;
export type NotFoundReason = (typeof NOT_FOUND_REASONS)[number];

/** An account as it was submitted; a tier of null was not sent. */
export const SubmittedAccount = Type.Object({
  networkUrl: Nullable(Type.String()),
  domain: Nullable(Type.String()),
  tier: Nullable(TopAccountTier),
});
export type SubmittedAccount = Immutable<Static<typeof SubmittedAccount>>;

/** A planned request of a pipeline for an account, with its ids. */
const PlannedRequest = Type.Object({
  requestId: Id,
  type: OneOf(...REQUEST_TYPES),
  companyId: Id,
  /** As the account was submitted; null if that is no longer known. */
  identifier: Nullable(Type.String()),
  /** The day of the plan (UTC), and the id of a mapping that begins with it; null for content. */
  requestDate: Day,
  mappingId: Nullable(Id),
});
export type PlannedRequest = Immutable<Static<typeof PlannedRequest>>;

/** Identifies an account: the first twelve bytes of the SHA-256 of its key, in base64. */
const AccountKey = Type.String({ minLength: 16, maxLength: 16 });

/** The account, and its company in the workspace. */
const account = { accountId: Id, companyId: Id };

export const topAccountEvents = {
  TopAccountListCreated: event(Type.Object({ topAccountListId: Id })),
  /**
   * Accounts were accepted; they are in the chunks of their submission, which were written before. The facts of the
   * decision are recorded with it: the number of new accounts, the quota, and the countries of the business units
   * (OP-52).
   */
  AccountsSubmitted: event(
    Type.Object({
      submissionId: Type.String({ minLength: 1 }),
      /** The number of entries sent and of distinct ones, and the number of chunks. */
      submitted: Type.Integer({ minimum: 1 }),
      accounts: Type.Integer({ minimum: 1 }),
      chunks: Type.Integer({ minimum: 1 }),
      /** The number of accounts that the workspace never named before, and their keys, including aliases. */
      newAccounts: Type.Integer({ minimum: 0 }),
      newKeys: Type.Array(AccountKey),
      /** The trial quota at that moment; null: none. */
      quota: Nullable(Type.Integer({ minimum: 0 })),
      countries: Type.Array(Type.String()),
      submittedAt: Timestamp,
    }),
  ),
  /** This many accounts of a submission, from that index on, were looked up; the results precede this event. */
  AccountsResolved: event(
    Type.Object({
      submissionId: Type.String({ minLength: 1 }),
      from: Type.Integer({ minimum: 0 }),
      accounts: Type.Integer({ minimum: 1 }),
      /** Accounts not found until now for which a company was found. */
      clearedIds: Type.Array(Id),
    }),
  ),
  TopAccountNotFound: event(
    Type.Object({
      accountId: Id,
      key: AccountKey,
      networkUrl: Nullable(Type.String()),
      domain: Nullable(Type.String()),
      tier: Nullable(TopAccountTier),
      reason: OneOf(...NOT_FOUND_REASONS),
      submittedAt: Timestamp,
    }),
  ),
  /** The requests planned for accounts of the list; those of one company and type run one after the other. */
  AccountRequestsPlanned: event(
    Type.Object({
      requests: Type.Array(PlannedRequest),
      /** Everything is planned that the event with this id requires; null: more may follow. */
      lookedAfter: Nullable(Type.String()),
      plannedAt: Timestamp,
    }),
  ),
  /** These requests have ended. */
  AccountRequestsEnded: event(
    Type.Object({
      requests: Type.Array(
        Type.Object({
          requestId: Id,
          type: OneOf(...REQUEST_TYPES),
          companyId: Id,
          outcome: OneOf('completed', ...FAILED_REASONS),
        }),
        { minItems: 1 },
      ),
      endedAt: Timestamp,
    }),
  ),
  /** The next request waits for these credits, and later ones wait for it; null: all remaining ones wait for their pipelines. */
  AccountRequestsPaused: event(
    Type.Object({
      requestId: Nullable(Id),
      creditsRequired: Nullable(StoredCredits),
      pausedAt: Timestamp,
      /**
       * The number of known events that end a pause at the time of the decision, so that a later one is not missed.
       */
      wakes: Type.Optional(Type.Integer({ minimum: 0 })),
      /** A cap does not allow it; absent: the balance does not cover it, or nothing is to be paid. */
      pausedBy: Type.Optional(Type.Literal('cap')),
    }),
  ),
  /** A company was found for a submitted account and is on the list from now on, assigned to no persona. */
  TopAccountFound: event(
    Type.Object({
      ...account,
      /** The permanent ref of the company on the observed network; null if it is not observed yet. */
      companyRef: Nullable(Type.String()),
      /** As it was submitted. */
      tier: Nullable(TopAccountTier),
      foundAt: Timestamp,
    }),
  ),
  TopAccountAssigned: event(Type.Object({ ...account, personaId: Nullable(Id) })),
  TopAccountRemoved: event(Type.Object({ ...account, removedAt: Timestamp })),
  /**
   * One business unit wants the account monitored because it was picked, or (null) no longer for that reason. Picks
   * of an archived business unit have no effect.
   */
  TopAccountMonitoringPicked: event(
    Type.Object({
      ...account,
      personaId: Id,
      buckets: Nullable(Type.Array(OneOf('essential'), { minItems: 1, maxItems: 1 })),
    }),
  ),
  TopAccountTierSet: event(
    Type.Object({ ...account, tier: Nullable(TopAccountTier), source: OneOf('manual', 'crm') }),
  ),
};
export type TopAccountEvents = CompletePayloads<
  Pick<CompanyMentions, 'TopAccountFound' | 'TopAccountRemoved'>,
  PayloadsOf<typeof topAccountEvents>
>;
