import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { ReadModelUnavailable } from '#kernel/ports/read-store.port.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import {
  accountPipelines,
  accountPipelinesKey,
  type AccountPipelinesDocument,
} from '#projections/accounts/account-pipelines/account-pipelines.projection.js';
import { accountRequests } from '#projections/accounts/account-requests/account-requests.projection.js';
import {
  accountSubmissions,
  accountSubmissionsKey,
} from '#projections/accounts/account-submissions/account-submissions.projection.js';
import {
  availableCredits,
  creditBalances,
} from '#projections/ledger/credit-balances/credit-balances.projection.js';
import { notFoundAccounts } from '#projections/accounts/not-found-accounts/not-found-accounts.projection.js';
import { topAccounts } from '#projections/accounts/top-accounts/top-accounts.projection.js';
import { workspaceKey, workspaces } from '#projections/access/workspaces/workspaces.projection.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';

const Count = Type.Integer({ minimum: 0 });
const IngestionStatus = Type.Object(
  {
    tal_id: Id,
    status: OneOf('idle', 'in_progress', 'paused'),
    pending: Count,
    found: Count,
    not_found: Count,
    mapping_in_progress: Count,
    paused_reason: Nullable(OneOf('insufficient_credits', 'cap')),
    credits_required: Nullable(Type.Number()),
    credits_available: Nullable(Type.Number()),
    last_submitted_at: Nullable(Timestamp),
  },
  { title: 'IngestionStatus' },
);

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/top-account-list/ingestion-status',
  summary: 'Get the progress of the submitted accounts',
  description:
    '`pending` counts accounts that are not looked up yet and accounts that wait for credits. While paused, ' +
    '`credits_required` is the cost of the next one, and `paused_reason` is `insufficient_credits` (the balance is too ' +
    'low) or `cap` (a cap on spending refuses).',
  response: DataOf(IngestionStatus),
  isRunning: ({ data }) => data.status === 'in_progress' || data.mapping_in_progress > 0,
})
export class GetIngestionStatus extends EndpointQuery<{ readonly data: Static<typeof IngestionStatus> }> {}

handle(GetIngestionStatus, async ({ workspaceId }, ports) => {
  const own = { where: { workspaceId } };
  const counted = (where: object): Promise<number> =>
    ports.readModels.count(accountRequests, { where: { workspaceId, ...where } });
  const [workspace, submissions, pipelines, found, notFound, waiting, mapping] = await Promise.all([
    ports.readModels.get(workspaces, workspaceKey(workspaceId)),
    ports.readModels.get(accountSubmissions, accountSubmissionsKey(workspaceId)),
    ports.readModels.get(accountPipelines, accountPipelinesKey(workspaceId)),
    ports.readModels.count(topAccounts, own),
    ports.readModels.count(notFoundAccounts, own),
    counted({ standsForAccount: true, isWaiting: true }),
    counted({ isMapping: true, isWaiting: false }),
  ]);
  const { topAccountListId = null } = workspace ?? {};
  // A workspace always has its list, so only a late read model does not show it.
  if (topAccountListId === null) throw new ReadModelUnavailable(`workspace ${workspaceId} is not shown yet`);
  const unresolved = (submissions?.open ?? []).reduce(
    (sum, { accounts, resolved }) => sum + accounts - resolved,
    0,
  );
  const { creditsRequired = null, pausedBy = 'insufficient_credits' } = pipelines?.paused ?? {};
  const isAtWork = unresolved > 0 || (pipelines !== null && isUnderWay(pipelines));
  const data: Static<typeof IngestionStatus> = {
    tal_id: topAccountListId,
    status: creditsRequired !== null ? 'paused' : isAtWork ? 'in_progress' : 'idle',
    pending: unresolved + waiting,
    found,
    not_found: notFound,
    mapping_in_progress: mapping,
    paused_reason: creditsRequired === null ? null : pausedBy,
    credits_required: creditsRequired === null ? null : toJsonNumber(fromStored(creditsRequired)),
    credits_available: creditsRequired === null ? null : await available(ports, workspaceId),
    last_submitted_at: submissions?.lastSubmittedAt ?? null,
  };
  return { data };
});

async function available({ readModels, clock }: ApiPorts, workspaceId: number): Promise<number> {
  const ledger = await readModels.get(creditBalances, String(workspaceId));
  if (ledger === null) return 0;
  return toJsonNumber(availableCredits(ledger, clock.now()));
}

/** Requests that wait until a pipeline is switched on are not in progress. */
const isUnderWay = ({ open, lookAfter, paused }: AccountPipelinesDocument): boolean =>
  lookAfter !== null || (open > 0 && paused === null);
