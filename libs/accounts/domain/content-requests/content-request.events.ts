import { event, type Immutable, type PayloadsOf, type CompletePayloads } from '#kernel/events/event.js';
import type { CompanyMentions } from '#identities/domain/companies/company-mentions-facts.js';
import { Day, Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';

/** Most people that one event names. */
export const MAX_PEOPLE_AT_ONCE = 100;

/** Which pipeline: who works at a company, or what it and its people write. */
export const REQUEST_TYPES = ['account_mapping', 'top_account_content'] as const;
export type RequestType = (typeof REQUEST_TYPES)[number];

/** The stages of each pipeline on its way, in their order (OP-58). */
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

/** Somebody who is to be analysed: what the network calls the person for ever, and whose lead it is to be. */
const PlannedPerson = Type.Object({ personRef: Type.String(), leadId: Id });
export type PlannedPerson = Immutable<Static<typeof PlannedPerson>>;

/** The stages of one background pipeline about one company. */
export const contentRequestEvents = {
  ContentRequestCreated: event(
    Type.Object({
      requestId: Id,
      type: OneOf(...REQUEST_TYPES),
      companyId: Id,
      /** The persona that asks; null where none does. */
      personaId: Nullable(Id),
      source: OneOf('api', 'top_account_list'),
      /** What the company was called when it was asked for; null where nobody called it anything. */
      identifier: Nullable(Type.String()),
      /** The day of a mapping: with company and persona it is what the mapping is known by. */
      requestDate: Day,
      /** The mapping it makes or goes on with; null for content. */
      mappingId: Nullable(Id),
      /** What was held for it when it was created; null where nothing was. */
      movementId: Nullable(Id),
      createdAt: Timestamp,
    }),
  ),
  /** The request is in this stage. Of the stage that it is in already: it got on within it. */
  StageEntered: event(
    Type.Object({
      requestId: Id,
      stage: OneOf(...STAGES_UNDER_WAY.account_mapping, ...STAGES_UNDER_WAY.top_account_content),
      /** More people whom the request is going to analyse. */
      people: Type.Optional(Type.Array(PlannedPerson, { minItems: 1, maxItems: MAX_PEOPLE_AT_ONCE })),
      /** Its work broke off so many times in this stage; that is no progress. */
      failures: Type.Optional(Type.Integer({ minimum: 1 })),
      /** What was held for it in this stage, and how many times holds of it had been given back before. */
      movementId: Type.Optional(Nullable(Id)),
      attempt: Type.Optional(Type.Integer({ minimum: 0 })),
      /** How it ends: nothing more is recorded of its work, what is held is settled. */
      outcome: Type.Optional(OneOf('completed', ...FAILED_REASONS)),
      enteredAt: Timestamp,
    }),
  ),
  /** The end: everything it cost is settled. */
  ContentRequestCompleted: event(
    Type.Object({
      requestId: Id,
      mappingId: Nullable(Id),
      /** Of a content request: how many people and posts were read. */
      people: Type.Optional(Type.Integer({ minimum: 0 })),
      posts: Type.Optional(Type.Integer({ minimum: 0 })),
      completedAt: Timestamp,
    }),
  ),
  /** The end: what was recorded is paid, the rest given back. */
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
