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

/** Why nothing was found for what was submitted (OP-54). */
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

/** A request of a pipeline that is to be made for an account, with the ids that it gets. */
const PlannedRequest = Type.Object({
  requestId: Id,
  type: OneOf(...REQUEST_TYPES),
  companyId: Id,
  /** As the account was submitted; null where that is not known any more. */
  identifier: Nullable(Type.String()),
  /** The day of the plan (UTC), and the id of a mapping that begins with it; null for content. */
  requestDate: Day,
  mappingId: Nullable(Id),
});
export type PlannedRequest = Immutable<Static<typeof PlannedRequest>>;

/** Names an account: the first twelve bytes of the SHA-256 of its key, in base64. */
const AccountKey = Type.String({ minLength: 16, maxLength: 16 });

/** Which account it is, and which company of the workspace. */
const account = { accountId: Id, companyId: Id };

export const topAccountEvents = {
  TopAccountListCreated: event(Type.Object({ topAccountListId: Id })),
  /**
   * Accounts were accepted; the chunks of their submission, written before, say which. What was decided with them
   * is kept: how many were new under which quota, and the countries of the business units (OP-52).
   */
  AccountsSubmitted: event(
    Type.Object({
      submissionId: Type.String({ minLength: 1 }),
      /** Entries as they were sent, and distinct ones, in so many chunks. */
      submitted: Type.Integer({ minimum: 1 }),
      accounts: Type.Integer({ minimum: 1 }),
      chunks: Type.Integer({ minimum: 1 }),
      /** Accounts that the workspace never named before, and the keys (aliases too) that they brought. */
      newAccounts: Type.Integer({ minimum: 0 }),
      newKeys: Type.Array(AccountKey),
      /** The trial quota at that moment; null: none. */
      quota: Nullable(Type.Integer({ minimum: 0 })),
      countries: Type.Array(Type.String()),
      submittedAt: Timestamp,
    }),
  ),
  /** So many accounts of a submission, from that place on, were looked up: what came of them stands before this. */
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
  /** These requests are to be made for accounts of the list, each company's of a type one after the other. */
  AccountRequestsPlanned: event(
    Type.Object({
      requests: Type.Array(PlannedRequest),
      /** Everything is planned that the event with this id asked to look after; null: more may follow. */
      lookedAfter: Nullable(Type.String()),
      plannedAt: Timestamp,
    }),
  ),
  /** These requests have come to their end. */
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
  /** The next request waits for so many credits, and those behind it with it; null: all that are left rest. */
  AccountRequestsPaused: event(
    Type.Object({
      requestId: Nullable(Id),
      creditsRequired: Nullable(StoredCredits),
      pausedAt: Timestamp,
      /** How many events that end a pause were known when this was decided: a later one is not missed. */
      wakes: Type.Optional(Type.Integer({ minimum: 0 })),
      /** A cap on spending does not allow it; absent: the balance does not cover it, or nothing is to be paid. */
      pausedBy: Type.Optional(Type.Literal('cap')),
    }),
  ),
  /** A company was found for what was submitted, and stands on the list from now on, assigned to no persona. */
  TopAccountFound: event(
    Type.Object({
      ...account,
      /** What the company is called on the observed network, for ever; null for one that is not observed yet. */
      companyRef: Nullable(Type.String()),
      /** As it was submitted. */
      tier: Nullable(TopAccountTier),
      foundAt: Timestamp,
    }),
  ),
  TopAccountAssigned: event(Type.Object({ ...account, personaId: Nullable(Id) })),
  TopAccountRemoved: event(Type.Object({ ...account, removedAt: Timestamp })),
  /**
   * One business unit wants the account monitored because it was picked, or (null) not because of that any more. What
   * is picked for an archived business unit rests.
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
