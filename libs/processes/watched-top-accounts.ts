import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { topAccounts, type TopAccountDocument } from '#projections/top-accounts/top-accounts.projection.js';
import type { SignalRunWorkDocument } from '#projections/signal-run-work/signal-run-work.projection.js';
import type { DetectorSources } from '#detection/detector.js';

const PAGE = 1_000;
const DETECTORS_OF_TOP_ACCOUNTS = ['top_account_post', 'top_account_job_posting'];

/**
 * For a launch about top accounts: those that are on the workspace's list now. An account that is taken off the
 * list is not looked at by the batches that follow, one that is added is. Nothing for other launches.
 */
export async function watchedTopAccounts(
  readModels: ReadModels,
  { workspaceId, launch }: Pick<SignalRunWorkDocument, 'workspaceId' | 'launch'>,
): Promise<Pick<DetectorSources, 'watched'>> {
  if (!DETECTORS_OF_TOP_ACCOUNTS.includes(launch.detectorKind)) return {};
  const companyRefs: string[] = [];
  for (let after = 0; ;) {
    const page = await readModels.find<TopAccountDocument>(topAccounts, {
      where: { workspaceId },
      sort: [['id', 'asc']],
      after: [after],
      limit: PAGE,
    });
    companyRefs.push(...page.flatMap(({ companyRef }) => (companyRef === null ? [] : [companyRef])));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return { watched: { companyRefs, personRefs: [] } };
    after = last.id;
  }
}
