import { inPieces } from '#kernel/values/pieces.js';
import { REQUEST_TYPES, type RequestType } from '#accounts/domain/content-requests/content-request.events.js';
import { missingTypes, planMissing } from '#accounts/domain/top-accounts/account-requests.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { workspaceState } from '#accounts/workspace-state.js';
import type { PipelinesRun } from './account-pipelines-run.js';
import { requestableAccounts } from '#accounts/mappings/requestable-accounts.js';

/** So few that another request does not wait long while the event of a piece is projected. */
const COMPANIES_AT_ONCE = 50;

/**
 * Plans the requests of listed accounts that never had one of an active pipeline, in pieces. The last piece records
 * which event it was planned for. Idempotent.
 */
export async function planAccountRequests(
  run: PipelinesRun,
  lookAfter: string,
  signal: AbortSignal,
): Promise<void> {
  const { host, workspaceId } = run;
  // Companies are claimed before their accounts are recorded, so read models that show the accounts also show the
  // companies.
  await run.record(() => [], `shown:${lookAfter}`, { waitForReadModels: true });
  const { accountMapping } = await workspaceState(host.commands, workspaceId);
  const types: readonly RequestType[] = accountMapping ? REQUEST_TYPES : ['top_account_content'];
  const lacking = await host.commands.load(topAccounts, String(workspaceId), ({ byCompany, requests }) =>
    [...byCompany.keys()].filter((companyId) => missingTypes(requests.get(companyId), types).length > 0),
  );
  const pieces = inPieces(lacking, COMPANIES_AT_ONCE);
  for (const [index, piece] of (pieces.length === 0 ? [[]] : pieces).entries()) {
    signal.throwIfAborted();
    const isLast = index >= pieces.length - 1;
    const decision = planMissing({
      companies: await requestableAccounts(host, workspaceId, piece),
      lookedAfter: isLast ? lookAfter : null,
      now: run.now(),
    });
    // Named by its companies: a run that begins again has other pieces, and an event of another piece does not answer for it.
    const step = `plan:${lookAfter}:${piece[0] ?? 'none'}`;
    // The next step reads the planned requests from the read model.
    await run.record(decision, step, { waitForReadModels: isLast });
  }
}
