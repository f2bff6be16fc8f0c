import { pricesToCharge } from '#catalogue/workspace-prices.js';
import {
  enterStage,
  recordPayment,
  type RequestOutcome,
} from '#accounts/domain/content-requests/content-request.js';
import { holdsFor, settleRequest } from '#ledger/charging/settle-charges.js';
import { personas } from '#lists/domain/personas/personas.js';
import { payForAccount, type AccountPrices, type Holding, type Uncovered } from './account-charges.js';
import { peopleToMap, type Targeting } from './people-to-map.js';
import type { PersonFacts } from '#network/network-directory.port.js';
import { accountPage, analysePeople, ofNetwork, plan, type Analysed } from './analyse-company.js';
import type { ProcessHost } from '#process-engine/process.js';
import type { UnderWay } from '#accounts/content-requests/request-under-way.js';

/** The people to analyse for the mapping of an account; or the outcome if there are none. */
export type FoundPeople = { readonly people: readonly PersonFacts[] } | { readonly outcome: RequestOutcome };

/**
 * Finds the people of a company that match at least one active persona (OP-59). The people of a request that has begun
 * are fixed: later changes of personas and of the network do not change them.
 */
export async function findPeople(
  host: ProcessHost,
  request: UnderWay,
  targetings: readonly Targeting[],
  signal: AbortSignal,
): Promise<FoundPeople> {
  const { stage, people: fixed } = await request.progress();
  if (stage === 'account_mapping_ingestion_in_progress') {
    const present = await ofNetwork(() => host.directory.people(fixed.map(({ personRef }) => personRef)));
    return { people: [...present.values()] };
  }
  if (targetings.length === 0) return { outcome: 'persona_without_job_titles' };
  const known = await accountPage(host, request);
  if (known === 'no page') return { outcome: 'missing_network_target' };
  const people =
    known === 'nobody' ? [] : await ofNetwork(() => peopleToMap(host.directory, known, targetings, signal));
  return people.length === 0 ? { outcome: 'no_employee_resolved' } : { people };
}

/** Active personas with titles and locations. */
export function targetingsOf({ commands }: ProcessHost, workspaceId: number): Promise<readonly Targeting[]> {
  const isNamed = (texts: readonly string[] | null): boolean => texts !== null && texts.length > 0;
  return commands.load(personas, String(workspaceId), ({ byId }) =>
    [...byId.values()].flatMap(({ archived, facts: { jobTitle, excludeJobTitle, location } }) =>
      archived || !isNamed(jobTitle) || !isNamed(location)
        ? []
        : [
            {
              jobTitle: jobTitle && [...jobTitle],
              excludeJobTitle: excludeJobTitle && [...excludeJobTitle],
              location: location && [...location],
            },
          ],
    ),
  );
}

/** What a workspace is charged for a mapped account and for each of its profiles. */
export async function accountPrices(host: ProcessHost, workspaceId: number): Promise<AccountPrices> {
  const { workChargeOf } = await pricesToCharge(host.commands, host.readModels, workspaceId);
  return { account: workChargeOf('account'), profile: workChargeOf('profile') };
}

/**
 * Holds the price of the mapping, all or nothing; returns what is missing if it is not covered. Throws `ChargesMoved`
 * if the ledger has a newer entry than `mark`.
 */
export async function payForMapping(
  host: ProcessHost,
  request: UnderWay,
  prices: AccountPrices,
  people: readonly PersonFacts[],
  { mark, holding }: { readonly mark: bigint; readonly holding: Holding },
): Promise<Uncovered | null> {
  const { requestId, companyId } = request.work;
  const { keyId } = request;
  const { requestDate, mappingId } = request.created;
  if (mappingId === null) throw new Error(`request ${requestId} has no mapping`);
  const analysis = { requestId, companyId, personaId: null, requestDate, keyId, mappingId };
  const refs = people.map(({ ref }) => ref).toSorted();
  const payment = await payForAccount(host, { ...request.paid, mark }, analysis, prices, refs, holding);
  if ('required' in payment) return payment;
  const now = host.clock.now().toISOString();
  await request.send(recordPayment(payment, now), 'in-progress');
  return null;
}

/** Analyses the paid people; returns the end of the mapping, or null if the workspace was blocked meanwhile. */
export async function mapPeople(
  host: ProcessHost,
  request: UnderWay,
  people: readonly PersonFacts[],
  signal: AbortSignal,
): Promise<Analysed> {
  await plan(host, request, people);
  signal.throwIfAborted();
  const now = host.clock.now().toISOString();
  const { people: planned } = await request.send(
    enterStage('account_mapping_ingestion_in_progress', now),
    'ingestion',
  );
  return analysePeople(host, request, planned, signal);
}

/** Whether an interrupted attempt has holds for the request. */
export const holdsAnything = (host: ProcessHost, { work }: UnderWay): Promise<boolean> =>
  holdsFor(host, work.workspaceId, work.requestId);

/** Releases the holds of a request that has not begun. */
export async function releaseHolds(host: ProcessHost, request: UnderWay): Promise<void> {
  if (await holdsAnything(host, request))
    await settleRequest(host, request.paid, request.work.requestId, new Set());
}
