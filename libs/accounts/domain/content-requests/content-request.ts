import { decider, type Decision } from '#kernel/commands/decider.js';
import type { EventOf } from '#kernel/events/event.js';
import { apiKeyOf } from '#kernel/events/asked-by.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { inPieces } from '#kernel/values/pieces.js';
import { refusal } from '#kernel/values/refusal.js';
import {
  contentRequestEvents,
  FAILED_STAGES,
  MAX_PEOPLE_AT_ONCE,
  STAGES_UNDER_WAY,
  type ContentRequestCreated,
  type ContentRequestEvents,
  type FailedReason,
  type PlannedPerson,
  type RequestStage,
  type StageUnderWay,
} from './content-request.events.js';

/** How a request ends. */
export type RequestOutcome = 'completed' | FailedReason;

/**
 * One pipeline of one company: it advances from stage to stage, its outcome is fixed, its holds are settled, and it
 * ends.
 */
export type ContentRequest = {
  /** Null before it is created. */
  readonly created: ContentRequestCreated | null;
  /** The API key whose call created it; null if no call did. */
  readonly keyId: number | null;
  readonly stage: RequestStage | null;
  /** The people to analyse, by network ref; grows in place with the fold. */
  readonly people: Map<string, PlannedPerson>;
  /** Fixed once: from then on its work may record nothing more. */
  readonly outcome: RequestOutcome | null;
  /** Failed attempts since the last progress. */
  readonly failures: number;
  /** The number of holds released before the current one, and the current one. */
  readonly attempt: number;
  readonly movementId: number | null;
  /** When it last made progress, RFC 3339; a failed attempt is no progress. */
  readonly lastProgressAt: string | null;
};

export const unknownContentRequest = refusal({
  code: 'unknown-content-request',
  kind: 'missing',
  detail: 'The workspace has no such request.',
});

export const contentRequest = decider<ContentRequest>()({
  category: 'contentRequest',
  scope: 'workspace',
  vocabulary: contentRequestEvents,
  strict: true,
  initial: () => ({
    created: null,
    keyId: null,
    stage: null,
    people: new Map(),
    outcome: null,
    failures: 0,
    attempt: 0,
    movementId: null,
    lastProgressAt: null,
  }),
  on: {
    ContentRequestCreated: (state, event) => ({
      ...state,
      created: event.data,
      keyId: apiKeyOf(event),
      stage: STAGES_UNDER_WAY[event.data.type][0],
      movementId: event.data.movementId,
      lastProgressAt: recordedAtOf(event),
    }),
    StageEntered: (state, event) => {
      const { stage, people = [], failures, attempt = state.attempt, outcome = null } = event.data;
      const { movementId = state.movementId } = event.data;
      for (const person of people) state.people.set(person.personRef, person);
      const isProgress = failures === undefined;
      return {
        ...state,
        stage,
        attempt,
        movementId,
        failures: failures ?? 0,
        outcome: state.outcome ?? outcome,
        lastProgressAt: isProgress ? recordedAtOf(event) : state.lastProgressAt,
      };
    },
    ContentRequestCompleted: (state) => ({ ...state, stage: 'completed', outcome: 'completed' }),
    ContentRequestFailed: (state, { data: { stage, reason } }) => ({ ...state, stage, outcome: reason }),
  },
});

export type ContentRequestDecision = Decision<ContentRequest, typeof contentRequestEvents>;
type StageEntered = ContentRequestEvents['StageEntered'];

/** Creates the request. Idempotent. */
export const createContentRequest =
  (created: ContentRequestCreated): ContentRequestDecision =>
  (state) =>
    state.created === null ? [{ type: 'ContentRequestCreated', data: created }] : [];

/** True at the end of a request, which is final (OP-58). */
export const isEnded = ({ stage }: Pick<ContentRequest, 'stage'>): boolean =>
  stage === 'completed' || stage === 'account_mapping_failed' || stage === 'top_account_content_failed';

/** The creation of a request that may still record work; otherwise null. */
function underWay({ created, stage, outcome }: ContentRequest) {
  if (created === null || outcome !== null) return null;
  const stages: readonly RequestStage[] = STAGES_UNDER_WAY[created.type];
  const place = stage === null ? -1 : stages.indexOf(stage);
  const current = STAGES_UNDER_WAY[created.type][place];
  return current === undefined ? null : { requestId: created.requestId, stages, place, stage: current };
}

/** The facts recorded with the stage that a request enters. */
type Entering = Pick<StageEntered, 'movementId' | 'attempt'>;

/** Advances to a later stage; ignored if the request is already there or further. */
export const enterStage =
  (stage: StageUnderWay, now: string, entering: Entering = {}): ContentRequestDecision =>
  (state) => {
    const request = underWay(state);
    if (request === null || request.stages.indexOf(stage) <= request.place) return [];
    const { requestId } = request;
    return [{ type: 'StageEntered', data: { requestId, stage, ...entering, enteredAt: now } }];
  };

/**
 * Records what is held for a mapping: it enters the stage after its ready one. A mapping that is already there stays in
 * its stage; other holds than before, because those were released, are progress in it.
 */
export const recordPayment =
  (payment: Required<Entering>, now: string): ContentRequestDecision =>
  (state) => {
    const request = underWay(state);
    if (request === null) return [];
    if (request.place === 0) return enterStage('account_mapping_in_progress', now, payment)(state);
    if (payment.movementId === state.movementId) return [];
    const { requestId, stage } = request;
    return [{ type: 'StageEntered', data: { requestId, stage, ...payment, enteredAt: now } }];
  };

/**
 * Fixes the people that the request will analyse; a planned person keeps the planned lead. Once the analysis has begun
 * no person is added: stages only move forward (STM-12).
 */
export const planPeople =
  (people: readonly PlannedPerson[], now: string): ContentRequestDecision =>
  (state) => {
    const request = underWay(state);
    const stage = 'account_mapping_ingestion_ready';
    if (request === null || request.stages.indexOf(stage) < request.place) return [];
    const planned = people.filter(({ personRef }) => !state.people.has(personRef));
    const { requestId } = request;
    return inPieces(planned, MAX_PEOPLE_AT_ONCE).map((piece) => ({
      type: 'StageEntered',
      data: { requestId, stage, people: piece, enteredAt: now },
    }));
  };

/** Records a failed attempt. */
export const recordFailure =
  (now: string): ContentRequestDecision =>
  (state) => {
    const request = underWay(state);
    if (request === null) return [];
    const { requestId, stage } = request;
    const failures = state.failures + 1;
    return [{ type: 'StageEntered', data: { requestId, stage, failures, enteredAt: now } }];
  };

/** Fixes the outcome of the request. It is the fence: the first outcome counts. */
export const fixOutcome =
  (outcome: RequestOutcome, now: string): ContentRequestDecision =>
  (state) => {
    const request = underWay(state);
    if (request === null) return [];
    const { requestId, stage } = request;
    return [{ type: 'StageEntered', data: { requestId, stage, outcome, enteredAt: now } }];
  };

/** What a content request has read. */
type ReadContent = { readonly people: number; readonly posts: number };

/** The end of a request whose outcome is fixed and whose holds are settled. */
export const endRequest =
  (now: string, read?: ReadContent): ContentRequestDecision =>
  (state): EventOf<ContentRequestEvents>[] => {
    const { created, outcome } = state;
    if (created === null || outcome === null || isEnded(state)) return [];
    const { requestId, mappingId, type } = created;
    if (outcome === 'completed')
      return [{ type: 'ContentRequestCompleted', data: { requestId, mappingId, ...read, completedAt: now } }];
    const failed = { requestId, mappingId, stage: FAILED_STAGES[type], reason: outcome, failedAt: now };
    return [{ type: 'ContentRequestFailed', data: failed }];
  };
