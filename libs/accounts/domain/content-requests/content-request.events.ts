import { event, type Immutable, type PayloadsOf, type CompletePayloads } from '#kernel/events/event.js';
import type { CompanyMentions } from '#identities/domain/companies/company-mentions-facts.js';
import { Day, Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';

/** The maximum number of people in one event. */
export const MAX_PEOPLE_AT_ONCE = 100;

/** The pipelines: the people of a company, or the texts of a company and its people. */
export const REQUEST_TYPES = ['account_mapping', 'top_account_content'] as const;
export type RequestType = (typeof REQUEST_TYPES)[number];

/** The stages of each pipeline before its end, in order (OP-58). */
export const STAGES_UNDER_WAY = {
  account_mapping: [
    'account_mapping_ready',
    'account_mapping_in_progress',
    'account_mapping_ingestion_ready',
    'account_mapping_ingestion_in_progress',
  ],
  top_account_content: [
    'top_account_content_scraping_ready',
    'top_account_content_scraping_starting',
    'top_account_content_scraping_in_progress',
  ],
} as const satisfies Readonly<Record<RequestType, readonly string[]>>;
export type StageUnderWay = (typeof STAGES_UNDER_WAY)[RequestType][number];

export const FAILED_STAGES = {
  account_mapping: 'account_mapping_failed',
  top_account_content: 'top_account_content_failed',
} as const satisfies Readonly<Record<RequestType, string>>;
type FailedStage = (typeof FAILED_STAGES)[RequestType];

export type RequestStage = StageUnderWay | FailedStage | 'completed';

export const FAILED_REASONS = [
  'no_employee_resolved',
  'persona_without_job_titles',
  'missing_network_target',
  'request_timed_out',
  'insufficient_credits',
  'internal_error',
] as const;
export type FailedReason = (typeof FAILED_REASONS)[number];

/** A person to be analysed: the network ref, and the lead id that the person gets. */
const PlannedPerson = Type.Object({ personRef: Type.String(), leadId: Id });
export type PlannedPerson = Immutable<Static<typeof PlannedPerson>>;

/** The stages of one background pipeline about one company. */
export const contentRequestEvents = {
  ContentRequestCreated: event(
    Type.Object({
      requestId: Id,
      type: OneOf(...REQUEST_TYPES),
      companyId: Id,
      /** The persona of the request; null if there is none. */
      personaId: Nullable(Id),
      source: OneOf('api', 'top_account_list'),
      /** The identifier of the company in the request; null if there is none. */
      identifier: Nullable(Type.String()),
      /** The day of a mapping: it identifies the mapping together with company and persona. */
      requestDate: Day,
      /** The mapping that the request starts or continues; null for content. */
      mappingId: Nullable(Id),
      /** The movement held at its creation; null if nothing was held. */
      movementId: Nullable(Id),
      createdAt: Timestamp,
    }),
  ),
  /** The request enters this stage; if it already is in this stage, it made progress within it. */
  StageEntered: event(
    Type.Object({
      requestId: Id,
      stage: OneOf(...STAGES_UNDER_WAY.account_mapping, ...STAGES_UNDER_WAY.top_account_content),
      /** Further people that the request will analyse. */
      people: Type.Optional(Type.Array(PlannedPerson, { minItems: 1, maxItems: MAX_PEOPLE_AT_ONCE })),
      /** The number of failed attempts in this stage; a failure is no progress. */
      failures: Type.Optional(Type.Integer({ minimum: 1 })),
      /** The movement held in this stage, and the number of earlier holds that were released. */
      movementId: Type.Optional(Nullable(Id)),
      attempt: Type.Optional(Type.Integer({ minimum: 0 })),
      /** How it ends: its work records nothing more, and its holds are settled. */
      outcome: Type.Optional(OneOf('completed', ...FAILED_REASONS)),
      enteredAt: Timestamp,
    }),
  ),
  /** The end: all of its holds are settled. */
  ContentRequestCompleted: event(
    Type.Object({
      requestId: Id,
      mappingId: Nullable(Id),
      /** For a content request: the number of people and posts read. */
      people: Type.Optional(Type.Integer({ minimum: 0 })),
      posts: Type.Optional(Type.Integer({ minimum: 0 })),
      completedAt: Timestamp,
    }),
  ),
  /** The end: recorded results are paid for, the rest is released. */
  ContentRequestFailed: event(
    Type.Object({
      requestId: Id,
      mappingId: Nullable(Id),
      stage: OneOf(FAILED_STAGES.account_mapping, FAILED_STAGES.top_account_content),
      reason: OneOf(...FAILED_REASONS),
      failedAt: Timestamp,
    }),
  ),
};
export type ContentRequestEvents = CompletePayloads<
  Pick<CompanyMentions, 'ContentRequestCreated'>,
  PayloadsOf<typeof contentRequestEvents>
>;
export type ContentRequestCreated = ContentRequestEvents['ContentRequestCreated'];
