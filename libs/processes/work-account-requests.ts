import type { Credits } from '#kernel/values/credits.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { concludeRequest } from '#domain/content-requests/conclude-request.js';
import {
  endRequest,
  fixOutcome,
  isEnded,
  recordFailure,
  type RequestOutcome,
} from '#domain/content-requests/content-request.js';
import { recordEnds } from '#domain/top-accounts/account-requests.js';
import { topAccounts } from '#domain/top-accounts/top-accounts.js';
import { workspace } from '#domain/workspaces/workspace.js';
import type { PersonFacts } from '#network/network-directory.port.js';
import type { AccountRequestDocument } from '#projections/account-requests/account-requests.projection.js';
import { companies, companyKey, type CompanyDocument } from '#projections/companies/companies.projection.js';
import { underWay, type PipelinesRun } from './account-pipelines-run.js';
import { createAccountRequest } from './create-account-requests.js';
import {
  accountPrices,
  findPeople,
  holdsAnything,
  mapPeople,
  payForMapping,
  targetingsOf,
} from './map-account.js';
import { settle } from './map-company.process.js';
import { readAccountContent } from './read-account-content.js';
import { pipelineSwitch } from '#mapping/requestable-accounts.js';
import { hasStalled, type UnderWay } from './request-under-way.js';

/** What came of some requests. */
export type Worked = {
  /** The first that is not covered: nothing behind it was worked on. */
  readonly waiting: { readonly requestId: number; readonly required: Credits } | null;
  /** So many rest until their pipeline is switched on. */
  readonly resting: number;
  /** Why the work of one of them broke off; it is tried again. */
  readonly broken: unknown;
  /** The workspace was blocked meanwhile. */
  readonly isStopped: boolean;
};

const AT_ONCE = 20;
/** A source that is away for a while is waited for. */
const MOST_FAILURES = 10;

type Item = { readonly request: AccountRequestDocument; readonly underWay: UnderWay };
/** Who is to be analysed, once that is paid for. */
type Mapping = Item & { readonly people: readonly PersonFacts[] };

/**
 * Works requests off, in their order where it is about money: who of them is mapped first is who was planned first.
 */
export async function workRequests(
  run: PipelinesRun,
  requests: readonly AccountRequestDocument[],
  signal: AbortSignal,
): Promise<Worked> {
  const { host, workspaceId } = run;
  const stream = String(workspaceId);
  if (await host.commands.load(workspace, stream, ({ blocked }) => blocked))
    return { waiting: null, resting: 0, broken: null, isStopped: true };
  const listed = new Set(
    await host.commands.load(topAccounts, stream, ({ byCompany }) =>
      requests.flatMap(({ companyId }) => (byCompany.has(companyId) ? [companyId] : [])),
    ),
  );
  const keys = requests.map(({ companyId }) => companyKey(companyId));
  const known = await host.readModels.getMany<CompanyDocument>(companies, keys);
  const isOn = await pipelineSwitch(host, workspaceId);
  const isResting = ({ companyId, type }: AccountRequestDocument): boolean =>
    !isOn(known.get(companyKey(companyId)), type);
  const active = requests.filter((request) => !listed.has(request.companyId) || !isResting(request));
  let broken: unknown = null;
  const guarded = guard(run, signal, (error) => (broken ??= error));

  const items = await sideBySide(active, AT_ONCE, async (request): Promise<Item> => {
    if (!request.created) await createAccountRequest(run, request);
    return { request, underWay: await underWay(host, request) };
  });
  const gone = items.filter(({ request }) => !listed.has(request.companyId));
  const mappings = items.filter(({ request }) => listed.has(request.companyId) && request.isMapping);
  const contents = items.filter(({ request }) => listed.has(request.companyId) && !request.isMapping);

  // An account that was taken off the list while its requests waited is not looked at any more.
  await sideBySide(
    gone,
    AT_ONCE,
    guarded(async (item) => end(run, item, 'request_timed_out')),
  );
  const found = await findAll(run, mappings, guarded, signal);
  const { paid, waiting } = await payInOrder(run, found, guarded);
  const isBefore = ({ request }: Item): boolean => waiting === null || request.requestId < waiting.requestId;
  await sideBySide(
    found.filter((item) => isBefore(item) && ('outcome' in item || paid.has(item.request.requestId))),
    AT_ONCE,
    guarded(async (item) =>
      end(
        run,
        item,
        'outcome' in item ? item.outcome : await mapPeople(host, item.underWay, item.people, signal),
      ),
    ),
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
  return { waiting, resting: requests.length - active.length, broken, isStopped: false };
}

type Guarded = <Done extends Item>(work: (item: Done) => Promise<void>) => (item: Done) => Promise<void>;

/**
 * Notes with a request that its work broke off, and goes on with the others; after too many times it fails. Stores of
 * the product that are away are no fault of a request.
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

/** Finds whom each mapping is about; those that ended or stood still for too long are ended. */
async function findAll(
  run: PipelinesRun,
  mappings: readonly Item[],
  guarded: Guarded,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  if (mappings.length === 0) return [];
  const { host, workspaceId } = run;
  const targetings = await targetingsOf(host, workspaceId);
  const found = new Map<number, Found>();
  await sideBySide(
    mappings,
    AT_ONCE,
    guarded(async (item: Item) => {
      const state = await item.underWay.progress();
      const isUnderWay = state.stage !== 'account_mapping_ready';
      if (state.outcome !== null) found.set(item.request.requestId, { ...item, outcome: state.outcome });
      else if (isUnderWay && (await hasStalled(host, item.underWay, state)))
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

/** Pays for one mapping after the other, until one is not covered. */
async function payInOrder(
  run: PipelinesRun,
  found: readonly Found[],
  guarded: Guarded,
): Promise<Pick<Worked, 'waiting'> & { readonly paid: ReadonlySet<number> }> {
  const { host, workspaceId } = run;
  const paid = new Set<number>();
  let waiting: Worked['waiting'] = null;
  const pay = guarded(async ({ request: { requestId }, underWay: work, people }: Mapping) => {
    const missing = await payForMapping(host, work, await accountPrices(host, workspaceId), people);
    if (missing === null) paid.add(requestId);
    else waiting = { requestId, required: missing.required };
  });
  for (const item of found) {
    if ('people' in item) await pay(item);
    if (waiting !== null) break;
  }
  return { paid, waiting };
}

/** Ends a mapping: what it recorded is captured, what is held beyond that is given back. */
async function end(
  { host, now }: PipelinesRun,
  { request, underWay: work }: Item,
  outcome: RequestOutcome,
): Promise<void> {
  const mustSettle = request.isMapping && (outcome === 'completed' || (await holdsAnything(host, work)));
  if (!mustSettle) {
    await work.send(concludeRequest(outcome, now()), 'conclude');
    return;
  }
  const state = await work.send(fixOutcome(outcome, now()), 'outcome');
  if (isEnded(state)) return;
  await settle(host, work, state);
  await work.send(endRequest(now()), 'end');
}

/** Records with the list which of these requests have come to their end. */
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
