import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { isBilled } from '#ledger/charging/affordable.js';
import { ChargesMoved, loadChargesMark, requestsWithHolds } from '#ledger/charging/charges.js';
import { company, DISABLED } from '#identities/domain/companies/company.js';
import { concludeRequest } from '#accounts/domain/content-requests/conclude-request.js';
import { STAGES_UNDER_WAY } from '#accounts/domain/content-requests/content-request.events.js';
import {
  contentRequest,
  endRequest,
  fixOutcome,
  isEnded,
  recordFailure,
  type ContentRequest,
  type RequestOutcome,
} from '#accounts/domain/content-requests/content-request.js';
import { recordEnds } from '#accounts/domain/top-accounts/account-requests.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { workspaceState } from '#accounts/workspace-state.js';
import type { PersonFacts } from '#network/network-directory.port.js';
import {
  accountRequestKey,
  accountRequests,
  type AccountRequestDocument,
} from '#projections/accounts/account-requests/account-requests.projection.js';
import {
  pipelinesContext,
  requestStream,
  underWay,
  type PayFirst,
  type PipelinesRun,
} from './account-pipelines-run.js';
import { createAccountRequest } from './create-account-requests.js';
import type { Holding, Uncovered } from '#accounts/mappings/account-charges.js';
import {
  accountPrices,
  findPeople,
  holdsAnything,
  mapPeople,
  payForMapping,
  releaseHolds,
  targetingsOf,
} from '#accounts/mappings/map-account.js';
import { pipelinesOn } from '#accounts/mappings/requestable-accounts.js';
import { settle } from '#accounts/mappings/map-company.process.js';
import type { ProcessHost } from '#process-engine/process.js';
import { readAccountContent } from './read-account-content.js';
import { hasStalled, type RequestProgress, type UnderWay } from './request-under-way.js';

/** The result of working on some requests. */
export type Worked = {
  /** The first request that is not covered; later ones were not started. */
  readonly waiting: (Uncovered & { readonly requestId: number }) | null;
  /** Requests that wait until their pipeline is switched on. */
  readonly resting: readonly number[];
  /** The error of an interrupted request; it is retried. */
  readonly broken: unknown;
  /** The workspace was blocked meanwhile. */
  readonly isStopped: boolean;
};

const AT_ONCE = 20;
/** A temporarily unavailable network is waited for. */
const MOST_FAILURES = 10;

/**
 * The requests behind one that waits for credits which hold credits themselves: they were interrupted, and need nothing
 * more unless their company gained people.
 */
export async function heldRequestsBehind(
  { host, workspaceId }: PipelinesRun,
  waitingId: number,
): Promise<readonly AccountRequestDocument[]> {
  const held = await requestsWithHolds(host, workspaceId);
  const behind = held.filter((requestId) => requestId > waitingId);
  const found = await host.readModels.getMany(accountRequests, behind.map(accountRequestKey));
  return [...found.values()].sort((left, right) => left.requestId - right.requestId);
}

type Item = { readonly request: AccountRequestDocument; readonly underWay: UnderWay };
/** The people to analyse, once they are paid for. */
type Mapping = Item & { readonly people: readonly PersonFacts[] };

/**
 * Works on requests. Payments are made in the order in which the requests were planned. Requests behind one that waits
 * for credits hold nothing more (`holding`): those that lack something wait too.
 */
export async function workRequests(
  run: PipelinesRun,
  requests: readonly AccountRequestDocument[],
  { payFirst, holding }: { readonly payFirst: PayFirst; readonly holding: Holding },
  signal: AbortSignal,
): Promise<Worked> {
  const { host, workspaceId } = run;
  const stream = String(workspaceId);
  if ((await workspaceState(host.commands, workspaceId)).blocked)
    return { waiting: null, resting: [], broken: null, isStopped: true };
  const listed = new Set(
    await host.commands.load(topAccounts, stream, ({ byCompany }) =>
      requests.flatMap(({ companyId }) => (byCompany.has(companyId) ? [companyId] : [])),
    ),
  );
  const { resting, stopped } = await switchedOffAmong(
    run,
    requests.filter(({ companyId }) => listed.has(companyId)),
  );
  const active = requests.filter(({ requestId }) => !resting.has(requestId));
  let broken: unknown = null;
  const guarded = guard(run, signal, (error) => (broken ??= error));

  const items = await sideBySide(active, AT_ONCE, async (request): Promise<Item> => {
    if (!request.created) await createAccountRequest(run, request);
    return { request, underWay: await underWay(host, request) };
  });
  const isGone = ({ request: { requestId, companyId } }: Item): boolean =>
    !listed.has(companyId) || stopped.has(requestId);
  const gone = items.filter(isGone);
  const mappings = items.filter((item) => !isGone(item) && item.request.isMapping);
  const contents = items.filter((item) => !isGone(item) && !item.request.isMapping);

  // The account was removed from the list while its requests waited, or the pipeline was switched off under way.
  await sideBySide(
    gone,
    AT_ONCE,
    guarded(async (item) => end(run, item, 'request_timed_out')),
  );
  const found = await findAll(run, mappings, guarded, signal);
  const { paid, waiting, switchedOff, isBlocked } = await payInOrder(
    run,
    found,
    { guarded, payFirst, holding },
    signal,
  );
  let isStopped = isBlocked;
  const isBefore = ({ request }: Item): boolean => waiting === null || request.requestId < waiting.requestId;
  await sideBySide(
    // A request with a fixed outcome needs no credits, so it does not wait for the requests before it.
    found.filter((item) => 'outcome' in item || paid.has(item.request.requestId)),
    AT_ONCE,
    guarded(async (item) => {
      const outcome =
        'outcome' in item ? item.outcome : await mapPeople(host, item.underWay, item.people, signal);
      if (outcome === null) isStopped = true;
      else await end(run, item, outcome);
    }),
  );
  signal.throwIfAborted();
  await sideBySide(
    contents.filter(isBefore),
    AT_ONCE,
    guarded(async (item) => {
      const { outcome, ...read } = await readAccountContent(host, item.underWay, signal);
      await item.underWay.send(concludeRequest(outcome, run.now(), read), 'conclude');
    }),
  );
  await recordEnded(run, items);
  return { waiting, resting: [...resting, ...switchedOff], broken, isStopped };
}

type SwitchedOff = {
  /** Requests that have not begun: they hold nothing and wait until their pipeline is switched on. */
  readonly resting: ReadonlySet<number>;
  /** Requests that were under way: they end (OP-62). */
  readonly stopped: ReadonlySet<number>;
};

/**
 * Requests whose pipeline is switched off, read from the company's own stream. A late read model could show a
 * pipeline as off that was switched on since, and the request would never continue.
 */
async function switchedOffAmong(
  { host, workspaceId }: PipelinesRun,
  requests: readonly AccountRequestDocument[],
): Promise<SwitchedOff> {
  const [resting, stopped] = [new Set<number>(), new Set<number>()];
  await sideBySide(requests, AT_ONCE, async (request) => {
    const on = await pipelinesOn(host, workspaceId, request.companyId);
    if (on.includes(request.type)) return;
    const stream = requestStream(request);
    const progress = await host.commands.load(contentRequest, stream, progressOf);
    if (progress === 'begun') stopped.add(request.requestId);
    else resting.add(request.requestId);
    // An attempt may have been interrupted between its holds and the stage that records them.
    if (progress === 'ready') await releaseHolds(host, await underWay(host, request));
  });
  return { resting, stopped };
}

function progressOf({ created, stage, outcome }: ContentRequest): 'planned' | 'ready' | 'begun' {
  if (created === null) return 'planned';
  return outcome === null && stage === STAGES_UNDER_WAY[created.type][0] ? 'ready' : 'begun';
}

type Guarded = <Done extends Item>(work: (item: Done) => Promise<void>) => (item: Done) => Promise<void>;

/**
 * Records a failed attempt with its request and continues with the others; after too many attempts the request fails.
 * An unavailable store does not count as an attempt.
 */
const guard =
  (run: PipelinesRun, signal: AbortSignal, onBroken: (error: unknown) => void): Guarded =>
  (work) =>
  async (item) => {
    try {
      await work(item);
    } catch (error) {
      if (error instanceof StoreUnavailable || signal.aborted) throw error;
      onBroken(error);
      const { failures } = await item.underWay.progress();
      if (failures + 1 >= MOST_FAILURES) await end(run, item, 'internal_error');
      else await item.underWay.send(recordFailure(run.now()), `failure:${failures + 1}`);
    }
  };

type Found = Mapping | (Item & { readonly outcome: RequestOutcome });

/** Finds the people of each mapping; ends the mappings that ended or made no progress for too long. */
async function findAll(
  run: PipelinesRun,
  mappings: readonly Item[],
  guarded: Guarded,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  if (mappings.length === 0) return [];
  const { host, workspaceId } = run;
  const targetings = await targetingsOf(host, workspaceId);
  const isCharged = await areMappingsCharged(host, workspaceId);
  const found = new Map<number, Found>();
  await sideBySide(
    mappings,
    AT_ONCE,
    guarded(async (item: Item) => {
      const state = await item.underWay.progress();
      const isUnderWay = state.stage !== 'account_mapping_ready';
      if (state.outcome !== null) found.set(item.request.requestId, { ...item, outcome: state.outcome });
      else if (
        isUnderWay &&
        !(await isUnpaid(host, item, state, isCharged)) &&
        (await hasStalled(host, item.underWay, state))
      )
        found.set(item.request.requestId, { ...item, outcome: 'request_timed_out' });
      else
        found.set(item.request.requestId, {
          ...item,
          ...(await findPeople(host, item.underWay, targetings, signal)),
        });
    }),
  );
  return mappings.flatMap(({ request }) => found.get(request.requestId) ?? []);
}

/**
 * Whether a mapping under way needs credits again: it waits for them without time-out (OP-52). Its holds were released,
 * or it began when mappings were free, and they are not free now.
 */
const isUnpaid = async (
  host: ProcessHost,
  { underWay: work }: Item,
  { movementId }: RequestProgress,
  isCharged: boolean,
): Promise<boolean> => (movementId !== null || isCharged) && !(await holdsAnything(host, work));

/** Whether a mapping costs credits now. */
async function areMappingsCharged(host: ProcessHost, workspaceId: number): Promise<boolean> {
  const { account, profile } = await accountPrices(host, workspaceId);
  return account.credits + profile.credits > 0n && (await isBilled(host.commands, workspaceId));
}

type Payments = Pick<Worked, 'waiting'> & {
  readonly paid: ReadonlySet<number>;
  /** Companies whose pipeline was switched off since the page was read. */
  readonly switchedOff: readonly number[];
  readonly isBlocked: boolean;
};

/**
 * Pays for one mapping after the other, until one is not covered. Each is checked immediately before: it must still be
 * requested, and the ledger refuses a check that is older than a stop. Uncovered months come first (OP-27).
 */
async function payInOrder(
  run: PipelinesRun,
  found: readonly Found[],
  {
    guarded,
    payFirst,
    holding,
  }: { readonly guarded: Guarded; readonly payFirst: PayFirst; readonly holding: Holding },
  signal: AbortSignal,
): Promise<Payments> {
  const { host, workspaceId } = run;
  const paid = new Set<number>();
  let waiting: Worked['waiting'] = null;
  const switchedOff: number[] = [];
  let isBlocked = false;
  const monthsFirst = waitingMonths(run, payFirst, signal);
  const pay = guarded(async (item: Mapping): Promise<void> => {
    const { requestId, companyId } = item.request;
    for (;;) {
      signal.throwIfAborted();
      const mark = await loadChargesMark(host.commands, workspaceId);
      const standing = await standingOf(run, companyId);
      if (standing === 'removed') await end(run, item, 'request_timed_out');
      if (standing === 'off') switchedOff.push(requestId);
      if (standing === 'blocked') isBlocked = true;
      if (standing !== 'on') return;
      if (holding === 'any') await monthsFirst(mark);
      try {
        const prices = await accountPrices(host, workspaceId);
        const missing = await payForMapping(host, item.underWay, prices, item.people, { mark, holding });
        if (missing === null) paid.add(requestId);
        else if (holding === 'any') waiting = { requestId, ...missing };
        return;
      } catch (error) {
        if (!(error instanceof ChargesMoved)) throw error;
      }
    }
  });
  for (const item of found) {
    if ('people' in item) await pay(item);
    if (waiting !== null || isBlocked) break;
  }
  return { paid, waiting, switchedOff, isBlocked };
}

/** Whether the mapping of a company is requested now, read from the streams. */
async function standingOf(
  { host, workspaceId }: PipelinesRun,
  companyId: number,
): Promise<'on' | 'off' | 'removed' | 'blocked'> {
  const { commands } = host;
  const stream = String(workspaceId);
  const [{ blocked, accountMapping }, isListed, isDisabled] = await Promise.all([
    workspaceState(commands, workspaceId),
    commands.load(topAccounts, stream, ({ byCompany }) => byCompany.has(companyId)),
    commands.load(
      company,
      workspaceScoped(workspaceId, companyId),
      ({ pipelines }) => pipelines.get('account_mapping') === DISABLED,
    ),
  ]);
  if (blocked) return 'blocked';
  if (!isListed) return 'removed';
  return accountMapping && !isDisabled ? 'on' : 'off';
}

/**
 * Tries to pay uncovered months, unless that was done since the ledger's last entry after which charges are prepared
 * again.
 */
function waitingMonths(
  { host, workspaceId }: PipelinesRun,
  payFirst: PayFirst,
  signal: AbortSignal,
): (mark: bigint) => Promise<void> {
  let decidedAt: bigint | null = null;
  return async (mark) => {
    if (decidedAt === mark) return;
    const context = pipelinesContext(workspaceId, `months:${mark}`);
    await payFirst(host, { workspaceId, context }, signal);
    decidedAt = mark;
  };
}

/**
 * Ends a mapping: movements of recorded profiles are captured, the rest is released. If an interrupted attempt fixed the
 * outcome, that one counts: a completed mapping is settled also without holds.
 */
async function end(
  { host, now }: PipelinesRun,
  { request, underWay: work }: Item,
  outcome: RequestOutcome,
): Promise<void> {
  const { outcome: fixed } = await work.progress();
  const isCompleted = (fixed ?? outcome) === 'completed';
  const mustSettle = request.isMapping && (isCompleted || (await holdsAnything(host, work)));
  if (!mustSettle) {
    await work.send(concludeRequest(outcome, now()), 'conclude');
    return;
  }
  const state = await work.send(fixOutcome(outcome, now()), 'outcome');
  if (isEnded(state)) return;
  await settle(host, work, state);
  await work.send(endRequest(now()), 'end');
}

/** Records on the list's stream which of these requests have ended. */
async function recordEnded(run: PipelinesRun, items: readonly Item[]): Promise<void> {
  const states = await sideBySide(items, AT_ONCE, async ({ request, underWay: work }) => {
    const state = await work.progress();
    const { requestId, type, companyId } = request;
    return isEnded(state) && state.outcome !== null
      ? [{ requestId, type, companyId, outcome: state.outcome }]
      : [];
  });
  const ended = states.flat();
  if (ended.length === 0) return;
  await run.record(recordEnds(ended, run.now()), `end:${ended[0]?.requestId}`, { waitForReadModels: true });
}
