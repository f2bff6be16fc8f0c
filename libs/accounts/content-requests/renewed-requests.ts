import { eachPage } from '#kernel/projections/each-page.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { planRenewed } from '#accounts/domain/top-accounts/account-requests.js';
import { identifierOf } from '#identities/company-refs.js';
import { workspaceState } from '#accounts/workspace-state.js';
import { isAnyTopAccount } from '#accounts/mappings/analyse-company.js';
import { isStubOfDomain, recordsBefore } from '#identities/records-before.js';
import { peopleToMap, type Targeting } from '#accounts/mappings/people-to-map.js';
import { requestableAccounts } from '#accounts/mappings/requestable-accounts.js';
import {
  companies,
  companyKey,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import {
  failedAccountRequests,
  type FailedAccountRequestDocument,
} from '#projections/accounts/failed-account-requests/failed-account-requests.projection.js';
import { pipelinesRun } from './account-pipelines-run.js';
import { targetingsOf } from '#accounts/mappings/map-account.js';
import { networkFollower, type NetworkFollower } from '#process-engine/network-follower.js';
import type { ProcessHost } from '#process-engine/process.js';

const PAGE = 200;
const PROBED_AT_ONCE = 10;

/**
 * Plans a new request for one that failed, once the network has learned the missing facts, at the earliest on the day
 * after the failure (OP-52). If several processes do it, only the first plans. Returns the number of planned
 * requests.
 */
export function renewedRequests(host: ProcessHost, onError: (error: unknown) => void): NetworkFollower {
  const today = (): string => host.clock.now().toISOString().slice(0, 10);
  return networkFollower(host, {
    onError,
    waitsFor: [failedAccountRequests.name, companies.name],
    period: today,
    async look(signal, apart) {
      let renewed = 0;
      const pages = eachPage(host.readModels, failedAccountRequests, {
        where: { failedOn: { lt: today() } },
        sort: [
          ['workspaceId', 'asc'],
          ['requestId', 'asc'],
        ],
        limit: PAGE,
      });
      for await (const failed of pages) {
        for (const workspaceId of new Set(failed.map((each) => each.workspaceId))) {
          const own = failed.filter((each) => each.workspaceId === workspaceId);
          renewed += await apart(workspaceId, () => renew(host, workspaceId, own, signal));
        }
        if (signal.aborted) break;
      }
      return renewed;
    },
  });
}

async function renew(
  host: ProcessHost,
  workspaceId: number,
  failed: readonly FailedAccountRequestDocument[],
  signal: AbortSignal,
): Promise<number> {
  if ((await workspaceState(host.commands, workspaceId)).blocked) return 0;
  const targetings = await targetingsOf(host, workspaceId);
  const known = await host.readModels.getMany(
    companies,
    failed.map(({ companyId }) => companyKey(companyId)),
  );
  const probed = await sideBySide(failed, PROBED_AT_ONCE, async (request) => {
    const company = known.get(companyKey(request.companyId));
    return company !== undefined && (await mayEndOtherwise(host, request, company, targetings, signal))
      ? [request]
      : [];
  });
  const promising = probed.flat();
  if (promising.length === 0) return 0;
  const companyIds = [...new Set(promising.map(({ companyId }) => companyId))];
  const requestable = await requestableAccounts(host, workspaceId, companyIds);
  const wanted = requestable.map((company) => ({
    ...company,
    types: company.types.filter((type) =>
      promising.some((request) => request.companyId === company.companyId && request.type === type),
    ),
  }));
  const run = pipelinesRun(host, workspaceId);
  const decision = planRenewed({ companies: wanted, now: run.now() });
  await run.record(decision, `renew:${promising[0]?.requestId}`, { waitForReadModels: true });
  return promising.length;
}

/** Whether the current facts of the network may give another result than the last request had. */
async function mayEndOtherwise(
  host: ProcessHost,
  { type }: FailedAccountRequestDocument,
  company: CompanyDocument,
  targetings: readonly Targeting[],
  signal: AbortSignal,
): Promise<boolean> {
  const identifier = identifierOf(company);
  if (identifier === null) return false;
  const { directory } = host;
  const [resolution] = await directory.resolveCompanies([identifier]);
  if (resolution?.outcome !== 'found' || resolution.facts.handle === null) return false;
  // Another top account that is the same company is mapped instead (`accountPage`).
  const before = isStubOfDomain(company)
    ? await recordsBefore(host, company.workspaceId, resolution.facts, company.id)
    : [];
  if (await isAnyTopAccount(host, before)) return false;
  if (type === 'top_account_content') return true;
  if (targetings.length === 0) return false;
  return (await peopleToMap(directory, resolution.facts.ref, targetings, signal)).length > 0;
}
