import { given } from '#kernel/testing/scenario.js';
import { sampleRequest } from '#projections/testing/sample-events.js';
import { concludeRequest } from './conclude-request.js';
import { contentRequest } from './content-request.js';

const NOW = '2026-01-05T10:00:00.000Z';
const mapping = {
  type: 'ContentRequestCreated',
  data: sampleRequest({ personaId: null, source: 'top_account_list', movementId: null }),
} as const;
const content = {
  type: 'ContentRequestCreated',
  data: { ...mapping.data, type: 'top_account_content', mappingId: null },
} as const;
const entered = <const Stage extends string>(
  stage: Stage,
  more: { readonly outcome?: 'completed' | 'no_employee_resolved' } = {},
) => ({ type: 'StageEntered', data: { requestId: 310, stage, ...more, enteredAt: NOW } }) as const;

const failed = {
  type: 'ContentRequestFailed',
  data: {
    requestId: 310,
    mappingId: 21,
    stage: 'account_mapping_failed',
    reason: 'no_employee_resolved',
    failedAt: NOW,
  },
} as const;

describe('a request that ends in one step', () => {
  it('OP-58 STM-12 passes every stage of its pipeline, and records what it has read', () => {
    const stage = 'top_account_content_scraping_in_progress';
    given(contentRequest, [content])
      .when(concludeRequest('completed', NOW, { people: 2, posts: 5 }))
      .then([
        entered('top_account_content_scraping_starting'),
        entered(stage),
        entered(stage, { outcome: 'completed' }),
        {
          type: 'ContentRequestCompleted',
          data: { requestId: 310, mappingId: null, people: 2, posts: 5, completedAt: NOW },
        },
      ]);
  });

  it('fails from its current stage', () => {
    given(contentRequest, [mapping])
      .when(concludeRequest('no_employee_resolved', NOW))
      .then([entered('account_mapping_ready', { outcome: 'no_employee_resolved' }), failed]);
  });

  it('ends with a fixed outcome, and once', () => {
    const fixed = entered('account_mapping_ready', { outcome: 'no_employee_resolved' });
    given(contentRequest, [mapping, fixed]).when(concludeRequest('completed', NOW)).then([failed]);
    given(contentRequest, [mapping, fixed, failed]).when(concludeRequest('completed', NOW)).then([]);
    given(contentRequest, []).when(concludeRequest('completed', NOW)).then([]);
  });
});
