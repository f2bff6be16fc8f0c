import type { EventOf } from '#kernel/events/event.js';
import { refusal } from '#kernel/values/refusal.js';
import { toStored, type Credits } from '#kernel/values/credits.js';
import type { RequestType } from '#accounts/domain/content-requests/content-request.events.js';
import type { AccountRequests, TopAccountsDecision } from './top-accounts-state.js';
import type { PlannedRequest, TopAccountEvents } from './top-accounts.events.js';

/** Ids for the requests of one company; unused ids are lost. */
export type RequestIds = {
  readonly account_mapping: number;
  readonly top_account_content: number;
  readonly mappingId: number;
};

/** The possible requests for a company. */
export type Requestable = {
  readonly companyId: number;
  readonly identifier: string | null;
  readonly ids: RequestIds;
  /** Pipelines that are not switched off for the company. */
  readonly types: readonly RequestType[];
};

/** A company with a completed mapping gets no requests when it is added again (OP-52). */
export const isMapped = (requests: AccountRequests | undefined): boolean =>
  requests?.account_mapping?.outcome === 'completed';

/** Pipelines for which a listed company never had a request and needs one. */
export function missingTypes(
  requests: AccountRequests | undefined,
  types: readonly RequestType[],
): RequestType[] {
  if (isMapped(requests)) return [];
  return types.filter((type) => requests?.[type] === undefined);
}

/** Pipelines whose newest request failed. */
export function failedTypes(
  requests: AccountRequests | undefined,
  types: readonly RequestType[],
): RequestType[] {
  return types.filter((type) => {
    const { outcome = null } = requests?.[type] ?? {};
    return outcome !== null && outcome !== 'completed';
  });
}

/** The requests of these types for a company. */
export function requestsFor(
  { companyId, identifier, ids }: Requestable,
  types: readonly RequestType[],
  now: string,
): PlannedRequest[] {
  return types.map((type) => ({
    requestId: ids[type],
    type,
    companyId,
    identifier,
    requestDate: now.slice(0, 10),
    mappingId: type === 'account_mapping' ? ids.mappingId : null,
  }));
}

/** The event that plans these requests; none if there are no requests and it ends no look at all accounts. */
export const planOf = (
  requests: readonly PlannedRequest[],
  now: string,
  lookedAfter: string | null = null,
): EventOf<Pick<TopAccountEvents, 'AccountRequestsPlanned'>>[] =>
  requests.length === 0 && lookedAfter === null
    ? []
    : [{ type: 'AccountRequestsPlanned', data: { requests, lookedAfter, plannedAt: now } }];

export type PlanRequests = {
  readonly companies: readonly Requestable[];
  /** The event for which all accounts are planned, if these are the last of them. */
  readonly lookedAfter: string | null;
  readonly now: string;
};

/** Plans the requests that listed companies never had. */
export const planMissing =
  ({ companies, lookedAfter, now }: PlanRequests): TopAccountsDecision =>
  ({ byCompany, requests: known }) => {
    const requests = companies
      .filter(({ companyId }) => byCompany.has(companyId))
      .flatMap((company) =>
        requestsFor(company, missingTypes(known.get(company.companyId), company.types), now),
      );
    return planOf(requests, now, lookedAfter);
  };

/** Plans new requests for those that failed on an earlier day, because they may succeed now. */
export const planRenewed =
  ({ companies, now }: Omit<PlanRequests, 'lookedAfter'>): TopAccountsDecision =>
  ({ byCompany, requests: known }) => {
    const today = now.slice(0, 10);
    const requests = companies.flatMap((company) => {
      const newest = known.get(company.companyId);
      if (!byCompany.has(company.companyId)) return [];
      const types = failedTypes(newest, company.types).filter(
        (type) => (newest?.[type]?.endedOn ?? today) < today,
      );
      return requestsFor(company, types, now);
    });
    return planOf(requests, now);
  };

export const requestNotFailed = refusal({
  code: 'request-not-failed',
  kind: 'conflicting',
  detail:
    'Only the newest request of its kind for a listed company can be made again, and only if it failed.',
});

/** Plans a new request for one that failed; refused for any other. */
export const planAgain =
  (
    {
      requestId,
      type,
      company,
    }: { readonly requestId: number; readonly type: RequestType; readonly company: Requestable },
    now: string,
  ): TopAccountsDecision =>
  ({ byCompany, requests: known }) => {
    const requests = known.get(company.companyId);
    const isNewest = requests?.[type]?.requestId === requestId;
    if (!isNewest || !byCompany.has(company.companyId) || !failedTypes(requests, [type]).includes(type))
      throw requestNotFailed();
    return planOf(requestsFor(company, [type], now), now);
  };

type Ended = TopAccountEvents['AccountRequestsEnded'];

/** Records the end of requests. Idempotent. */
export const recordEnds =
  (ended: Ended['requests'], now: string): TopAccountsDecision =>
  (state) => {
    const requests = ended.filter(({ companyId, type, requestId }) => {
      const request = state.requests.get(companyId)?.[type];
      return request?.requestId === requestId && request.outcome === null;
    });
    return requests.length === 0 ? [] : [{ type: 'AccountRequestsEnded', data: { requests, endedAt: now } }];
  };

type Waiting = {
  readonly requestId: number;
  readonly required: Credits;
  /** What does not cover it. */
  readonly by: 'credits' | 'cap';
};

/**
 * Records what the next request waits for. `wakes`: the number of known events that end a pause, read before the
 * ledger.
 */
export const pauseRequests =
  ({ requestId, required, by }: Waiting, wakes: number, now: string): TopAccountsDecision =>
  () => [
    {
      type: 'AccountRequestsPaused',
      data: {
        requestId,
        creditsRequired: toStored(required),
        pausedAt: now,
        wakes,
        ...(by === 'cap' ? { pausedBy: by } : {}),
      },
    },
  ];

/**
 * Records that all remaining requests wait until a pipeline is switched on; ignored if other requests are left too.
 */
export const restRequests =
  (resting: ReadonlySet<number>, wakes: number, now: string): TopAccountsDecision =>
  ({ requests }) => {
    for (const ofCompany of requests.values())
      for (const { requestId, outcome } of Object.values(ofCompany))
        if (outcome === null && !resting.has(requestId)) return [];
    return [
      {
        type: 'AccountRequestsPaused',
        data: { requestId: null, creditsRequired: null, pausedAt: now, wakes },
      },
    ];
  };
