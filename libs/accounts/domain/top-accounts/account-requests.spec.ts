import { credits } from '#kernel/values/credits.js';
import { given } from '#kernel/testing/scenario.js';
import {
  failedTypes,
  missingTypes,
  pauseRequests,
  restRequests,
  planAgain,
  planMissing,
  planRenewed,
  recordEnds,
  requestNotFailed,
  type Requestable,
} from './account-requests.js';
import { resolveAccounts } from './resolve-accounts.js';
import { topAccounts } from './top-accounts.js';
import type { PlannedRequest } from './top-accounts.events.js';

const NOW = '2026-01-05T10:00:00.000Z';
const BOTH = ['account_mapping', 'top_account_content'] as const;
const found = (accountId: number, companyId: number) =>
  ({
    type: 'TopAccountFound',
    data: { accountId, companyId, companyRef: null, tier: null, foundAt: NOW },
  }) as const;
const company = (companyId: number, first: number, types: Requestable['types'] = BOTH): Requestable => ({
  companyId,
  identifier: 'acme.com',
  types,
  ids: { account_mapping: first, top_account_content: first + 1, mappingId: first + 2 },
});
const request = (
  requestId: number,
  type: PlannedRequest['type'],
  companyId: number,
  mappingId: number | null = null,
): PlannedRequest => ({
  requestId,
  type,
  companyId,
  identifier: 'acme.com',
  requestDate: '2026-01-05',
  mappingId,
});
const mapping = (companyId: number, first: number): PlannedRequest =>
  request(first, 'account_mapping', companyId, first + 2);
const content = (companyId: number, first: number): PlannedRequest =>
  request(first + 1, 'top_account_content', companyId);
const planned = (requests: PlannedRequest[], lookedAfter: string | null = null) =>
  ({ type: 'AccountRequestsPlanned', data: { requests, lookedAfter, plannedAt: NOW } }) as const;
type Outcome = 'completed' | 'no_employee_resolved' | 'internal_error';
const endedAs = (type: PlannedRequest['type'], companyId: number, requestId: number, outcome: Outcome) =>
  ({
    type: 'AccountRequestsEnded',
    data: { requests: [{ requestId, type, companyId, outcome }], endedAt: NOW },
  }) as const;
const ended = (companyId: number, first: number, outcome: Outcome) =>
  endedAs('account_mapping', companyId, first, outcome);
const removed = (accountId: number, companyId: number) =>
  ({ type: 'TopAccountRemoved', data: { accountId, companyId, removedAt: NOW } }) as const;
const submittedOnce = {
  type: 'AccountsSubmitted',
  data: {
    submissionId: 'a',
    submitted: 1,
    accounts: 1,
    chunks: 1,
    newAccounts: 0,
    newKeys: [],
    quota: null,
    countries: ['FR'],
    submittedAt: NOW,
  },
} as const;
const submittedAgain = resolveAccounts({
  submissionId: 'a',
  from: 0,
  accounts: [
    {
      accountId: 6,
      account: { networkUrl: null, domain: 'acme.com', tier: null },
      outcome: { companyId: 9, companyRef: null },
    },
  ],
  failed: [company(9, 320)],
  submittedAt: NOW,
  now: NOW,
});
const resolved = {
  type: 'AccountsResolved',
  data: { submissionId: 'a', from: 0, accounts: 1, clearedIds: [] },
} as const;
const plan = (companies: readonly Requestable[], lookedAfter: string | null = null) =>
  planMissing({ companies, lookedAfter, now: NOW });

describe('the requests of top accounts', () => {
  it('OP-52 are a mapping and a content request for each account, once', () => {
    given(topAccounts, [found(5, 9)])
      .when(plan([company(9, 310)]))
      .then([planned([mapping(9, 310), content(9, 310)])]);
    given(topAccounts, [found(5, 9), planned([mapping(9, 310), content(9, 310)])])
      .when(plan([company(9, 320)], 'all'))
      .then([planned([], 'all')]);
    given(topAccounts, [found(5, 9)])
      .when(plan([company(10, 310)]))
      .then([]);
  });

  it('OP-52 OP-62 are those of active pipelines; those of a pipeline that is switched on later follow', () => {
    const contentOnly = planned([content(9, 310)]);
    given(topAccounts, [found(5, 9)])
      .when(plan([company(9, 310, ['top_account_content'])]))
      .then([contentOnly]);
    given(topAccounts, [found(5, 9), contentOnly])
      .when(plan([company(9, 320)]))
      .then([planned([mapping(9, 320)])]);
  });

  it('OP-52 are not planned for a company that was mapped and is added again', () => {
    const requests = {
      account_mapping: { requestId: 310, outcome: 'completed', endedOn: '2026-01-05' },
    } as const;
    expect([missingTypes(requests, BOTH), failedTypes(requests, BOTH)]).toEqual([[], []]);
    expect(missingTypes(undefined, BOTH)).toEqual(BOTH);
    expect(failedTypes(undefined, BOTH)).toEqual([]);
  });

  it('OP-52 are planned again for a failed one when its account is submitted again, but not while one is in progress', () => {
    const past = [found(5, 9), planned([mapping(9, 310), content(9, 310)])] as const;
    given(topAccounts, [...past, ended(9, 310, 'no_employee_resolved'), submittedOnce])
      .when(submittedAgain)
      .then([planned([mapping(9, 320)]), resolved]);
    given(topAccounts, [...past, submittedOnce])
      .when(submittedAgain)
      .then([resolved]);
    given(topAccounts, [...past, ended(9, 310, 'completed'), submittedOnce])
      .when(submittedAgain)
      .then([resolved]);
  });

  it('OP-52 are planned again for one that failed on an earlier day', () => {
    const on = (day: string) => planRenewed({ companies: [company(9, 320)], now: `${day}T00:00:00.000Z` });
    const past = [found(5, 9), planned([mapping(9, 310)]), ended(9, 310, 'no_employee_resolved')] as const;
    const renewed = planned([{ ...mapping(9, 320), requestDate: '2026-01-06' }]);
    given(topAccounts, past).when(on('2026-01-05')).then([]);
    given(topAccounts, past)
      .when(on('2026-01-06'))
      .then([{ ...renewed, data: { ...renewed.data, plannedAt: '2026-01-06T00:00:00.000Z' } }]);
    given(topAccounts, [...past, renewed])
      .when(on('2026-01-07'))
      .then([]);
    given(topAccounts, [...past.slice(0, 2), ended(9, 310, 'completed')])
      .when(on('2026-01-06'))
      .then([]);
    // The account was removed after the requests to renew were read.
    given(topAccounts, [...past, removed(5, 9)])
      .when(on('2026-01-06'))
      .then([]);
  });

  it('OPS-25 are planned again by an operator if the newest failed', () => {
    const again = (requestId: number) =>
      planAgain({ requestId, type: 'account_mapping', company: company(9, 320) }, NOW);
    const past = [found(5, 9), planned([mapping(9, 310)])] as const;
    const failed = ended(9, 310, 'no_employee_resolved');
    given(topAccounts, [...past, failed])
      .when(again(310))
      .then([planned([mapping(9, 320)])]);
    given(topAccounts, [...past, failed])
      .when(again(300))
      .then(requestNotFailed());
    given(topAccounts, past).when(again(310)).then(requestNotFailed());
    given(topAccounts, [...past, failed, planned([mapping(9, 320)])])
      .when(again(310))
      .then(requestNotFailed());
    given(topAccounts, [...past, failed, removed(5, 9)])
      .when(again(310))
      .then(requestNotFailed());
  });

  it('OP-52 OPS-25 are planned again for a failed content request, also if the mapping is completed', () => {
    const past = [
      found(5, 9),
      planned([mapping(9, 310), content(9, 310)]),
      ended(9, 310, 'completed'),
      endedAs('top_account_content', 9, 311, 'internal_error'),
    ] as const;
    const renewed = planRenewed({ companies: [company(9, 320)], now: '2026-01-06T00:00:00.000Z' });
    const { data } = planned([{ ...content(9, 320), requestDate: '2026-01-06' }]);
    given(topAccounts, past)
      .when(renewed)
      .then([{ type: 'AccountRequestsPlanned', data: { ...data, plannedAt: '2026-01-06T00:00:00.000Z' } }]);
    given(topAccounts, [...past, submittedOnce])
      .when(submittedAgain)
      .then([planned([content(9, 320)]), resolved]);
    given(topAccounts, past)
      .when(planAgain({ requestId: 311, type: 'top_account_content', company: company(9, 320) }, NOW))
      .then([planned([content(9, 320)])]);
    // A mapped company that is added again gets no requests.
    given(topAccounts, [...past, removed(5, 9), submittedOnce])
      .when(submittedAgain)
      .then([found(6, 9), resolved]);
  });

  it('record their end once', () => {
    const end = ended(9, 310, 'completed');
    const record = recordEnds(end.data.requests, NOW);
    const past = [found(5, 9), planned([mapping(9, 310)])] as const;
    given(topAccounts, past).when(record).then([end]);
    given(topAccounts, [...past, end])
      .when(record)
      .then([]);
    given(topAccounts, [found(5, 9)])
      .when(record)
      .then([]);
  });

  const paused = (requestId: number | null, creditsRequired: string | null) =>
    ({
      type: 'AccountRequestsPaused',
      data: { requestId, creditsRequired, pausedAt: NOW, wakes: 2 },
    }) as const;

  it('OP-53 wait for credits', () => {
    given(topAccounts, [])
      .when(pauseRequests({ requestId: 310, required: credits(3), by: 'credits' }, 2, NOW))
      .then([paused(310, '3000000')]);
  });

  it('OP-53 CAP-03 wait for a cap', () => {
    const { type, data } = paused(310, '3000000');
    given(topAccounts, [])
      .when(pauseRequests({ requestId: 310, required: credits(3), by: 'cap' }, 2, NOW))
      .then([{ type, data: { ...data, pausedBy: 'cap' } }]);
  });

  it('OP-62 rest if nothing else of the plan is left', () => {
    const past = [found(5, 9), planned([mapping(9, 310), content(9, 310)])] as const;
    given(topAccounts, past)
      .when(restRequests(new Set([310]), 2, NOW))
      .then([]);
    given(topAccounts, past)
      .when(restRequests(new Set([310, 311]), 2, NOW))
      .then([paused(null, null)]);
  });
});
