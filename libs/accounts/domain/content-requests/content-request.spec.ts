import { given, history, stateAfter } from '#kernel/testing/scenario.js';
import { sampleRequest } from '#projections/testing/sample-events.js';
import { FAILED_REASONS } from './content-request.events.js';
import {
  contentRequest,
  createContentRequest,
  endRequest,
  enterStage,
  fixOutcome,
  isEnded,
  planPeople,
  recordFailure,
  recordPayment,
} from './content-request.js';

const NOW = '2026-01-05T10:00:00.000Z';
const created = { type: 'ContentRequestCreated', data: sampleRequest() } as const;
const content = {
  type: 'ContentRequestCreated',
  data: { ...created.data, type: 'top_account_content', personaId: null, mappingId: null, movementId: null },
} as const;
const entered = <const More extends object>(
  stage:
    | 'account_mapping_ready'
    | 'account_mapping_in_progress'
    | 'account_mapping_ingestion_ready'
    | 'account_mapping_ingestion_in_progress',
  more?: More,
) => ({ type: 'StageEntered', data: { requestId: 310, stage, ...more, enteredAt: NOW } }) as const;
/** The request after these events. */
const at = (...events: Parameters<typeof history<unknown, typeof contentRequest.vocabulary>>[1]) =>
  stateAfter(contentRequest, history(contentRequest, events));
const ana = { personRef: 'p:ana', leadId: 77 };
const luc = { personRef: 'p:luc', leadId: 78 };

describe('a content request', () => {
  it('is created once, ready', () => {
    given(contentRequest, []).when(createContentRequest(created.data)).then([created]);
    given(contentRequest, [created])
      .when(createContentRequest({ ...created.data, companyId: 10 }))
      .then([]);
    expect(at(created).stage).toBe('account_mapping_ready');
    expect(at(content).stage).toBe('top_account_content_scraping_ready');
  });

  it('OP-58 advances from stage to stage, never back, and only through the stages of its pipeline', () => {
    const inProgress = entered('account_mapping_in_progress');
    given(contentRequest, [created]).when(enterStage('account_mapping_in_progress', NOW)).then([inProgress]);
    given(contentRequest, [created, inProgress])
      .when(enterStage('account_mapping_in_progress', NOW))
      .then([]);
    given(contentRequest, [created, inProgress]).when(enterStage('account_mapping_ready', NOW)).then([]);
    given(contentRequest, [created]).when(enterStage('top_account_content_scraping_starting', NOW)).then([]);
    given(contentRequest, []).when(enterStage('account_mapping_in_progress', NOW)).then([]);
  });

  it('records its hold with a stage', () => {
    const held = entered('account_mapping_in_progress', { movementId: 600, attempt: 2 });
    given(contentRequest, [created])
      .when(enterStage('account_mapping_in_progress', NOW, { movementId: 600, attempt: 2 }))
      .then([held]);
    expect(at(created, held)).toMatchObject({
      movementId: 600,
      attempt: 2,
    });
  });

  it('OP-52 records another hold than before without leaving its stage', () => {
    const paid = (movementId: number | null, attempt: number) => recordPayment({ movementId, attempt }, NOW);
    const held = entered('account_mapping_in_progress', { movementId: 600, attempt: 0 });
    const planned = entered('account_mapping_ingestion_ready', { people: [ana] });
    given(contentRequest, [created]).when(paid(600, 0)).then([held]);
    given(contentRequest, [created, held, planned]).when(paid(600, 0)).then([]);
    const again = entered('account_mapping_ingestion_ready', { movementId: 605, attempt: 1 });
    given(contentRequest, [created, held, planned]).when(paid(605, 1)).then([again]);
    expect(at(created, held, planned, again)).toMatchObject({ movementId: 605, attempt: 1 });
  });

  it('keeps the lead that was planned for a person', () => {
    const planned = entered('account_mapping_ingestion_ready', { people: [ana] });
    given(contentRequest, [created])
      .when(planPeople([ana], NOW))
      .then([planned]);
    given(contentRequest, [created, planned])
      .when(planPeople([{ ...ana, leadId: 99 }, luc], NOW))
      .then([entered('account_mapping_ingestion_ready', { people: [luc] })]);
  });

  it('STM-12 plans no person after the analysis has begun', () => {
    const atIt = entered('account_mapping_ingestion_in_progress');
    given(contentRequest, [created, entered('account_mapping_ingestion_ready', { people: [ana] }), atIt])
      .when(planPeople([luc], NOW))
      .then([]);
  });

  it('plans at most a hundred people per event', () => {
    const people = Array.from({ length: 101 }, (_, index) => ({
      personRef: `p:${index}`,
      leadId: index + 1,
    }));
    given(contentRequest, [created])
      .when(planPeople(people, NOW))
      .then([
        entered('account_mapping_ingestion_ready', { people: people.slice(0, 100) }),
        entered('account_mapping_ingestion_ready', { people: people.slice(100) }),
      ]);
  });

  it('counts failures until it makes progress, and failures are no progress', () => {
    const failed = entered('account_mapping_ready', { failures: 1 });
    given(contentRequest, [created]).when(recordFailure(NOW)).then([failed]);
    given(contentRequest, [created, failed])
      .when(recordFailure(NOW))
      .then([entered('account_mapping_ready', { failures: 2 })]);
    expect(at(created, failed)).toMatchObject({
      failures: 1,
      lastProgressAt: at(created).lastProgressAt,
    });
    expect(at(created, failed, entered('account_mapping_in_progress')).failures).toBe(0);
  });

  it('fixes its outcome once, and records no work after that', () => {
    const fixed = entered('account_mapping_ready', { outcome: 'request_timed_out' });
    given(contentRequest, [created]).when(fixOutcome('request_timed_out', NOW)).then([fixed]);
    for (const later of [
      fixOutcome('completed', NOW),
      enterStage('account_mapping_in_progress', NOW),
      planPeople([ana], NOW),
      recordFailure(NOW),
    ])
      given(contentRequest, [created, fixed]).when(later).then([]);
  });

  it('CR-03 ends with its outcome, once', () => {
    given(contentRequest, [created]).when(endRequest(NOW)).then([]);
    const mappingId = 21;
    for (const reason of FAILED_REASONS) {
      const failed = {
        type: 'ContentRequestFailed',
        data: { requestId: 310, mappingId, stage: 'account_mapping_failed', reason, failedAt: NOW },
      } as const;
      const past = [created, entered('account_mapping_ready', { outcome: reason })];
      given(contentRequest, past).when(endRequest(NOW)).then([failed]);
      given(contentRequest, [...past, failed])
        .when(endRequest(NOW))
        .then([]);
      expect(isEnded(at(...past, failed))).toBe(true);
      expect(isEnded(stateAfter(contentRequest, history(contentRequest, past)))).toBe(false);
    }
    given(contentRequest, [created, entered('account_mapping_ready', { outcome: 'completed' })])
      .when(endRequest(NOW))
      .then([{ type: 'ContentRequestCompleted', data: { requestId: 310, mappingId, completedAt: NOW } }]);
  });

  it('OP-58 of content records at its end what it has read', () => {
    const fixed = {
      type: 'StageEntered',
      data: {
        requestId: 310,
        stage: 'top_account_content_scraping_ready',
        outcome: 'completed',
        enteredAt: NOW,
      },
    } as const;
    given(contentRequest, [content, fixed])
      .when(endRequest(NOW, { people: 2, posts: 5 }))
      .then([
        {
          type: 'ContentRequestCompleted',
          data: { requestId: 310, mappingId: null, people: 2, posts: 5, completedAt: NOW },
        },
      ]);
  });
});
