import { type CommandContext, streamName, workspaceScoped } from '#kernel/commands/decider.js';
import { allocatedId } from '#kernel/commands/ids.js';
import { networkUrl } from '#kernel/values/network-identifiers.js';
import { inPiecesOfBytes } from '#kernel/values/pieces.js';
import { companyStub, observedCompanyOf } from '#identities/observed-facts.js';
import type { SeenCompany } from '#identities/company-names.js';
import {
  askedFor,
  judgeAccounts,
  resolveAccounts,
  type Judgement,
  type ResolvedAccount,
} from '#accounts/domain/top-accounts/resolve-accounts.js';
import { failedTypes, type Requestable } from '#accounts/domain/top-accounts/account-requests.js';
import { REQUEST_TYPES } from '#accounts/domain/content-requests/content-request.events.js';
import { submission } from '#accounts/domain/top-accounts/submission.js';
import type { SubmittedAccount } from '#accounts/domain/top-accounts/top-accounts.events.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { workspaceState } from '#accounts/workspace-state.js';
import { identityClaims } from '#identities/claim-identities.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import {
  accountSubmissions,
  accountSubmissionsKey,
  type AccountSubmissionsDocument,
  type OpenSubmission,
} from '#projections/accounts/account-submissions/account-submissions.projection.js';
import type { Process, ProcessHost } from '#process-engine/process.js';
import { requestableAccounts } from '#accounts/mappings/requestable-accounts.js';
import { toDo } from '#process-engine/to-do.js';

/**
 * The maximum number and size of accounts that are looked up and recorded in one step, so that their events fit an
 * append.
 */
const ACCOUNTS_AT_ONCE = 250;
const MOST_BYTES = 128 * 1024;

/**
 * Looks up the accounts submitted for the top account list, submission by submission, in the order of arrival. Each
 * account is added, is on the list already, or is not found (OP-52). The stream of the list records the progress, so
 * after a stop at any point the work continues there.
 */
export const resolveTopAccounts: Process<AccountSubmissionsDocument> = {
  name: 'resolve-top-accounts',
  lane: 'lookups',
  atOnce: 4,
  toDo: toDo(accountSubmissions, { where: [{ isDue: true }], oldestFirst: ['workspaceId'] }),
  key: ({ workspaceId }) => accountSubmissionsKey(workspaceId),
  causeStream: ({ workspaceId, open: [first] }) =>
    streamName(submission, workspaceScoped(workspaceId, first?.submissionId ?? '')),
  waitsFor: [accountSubmissions.name],

  async act(host, { workspaceId, open }, signal) {
    const stream = String(workspaceId);
    for (const submitted of open) {
      for (;;) {
        signal.throwIfAborted();
        if ((await workspaceState(host.commands, workspaceId)).blocked) return;
        const { submissionId } = submitted;
        const from = await host.commands.load(
          topAccounts,
          stream,
          ({ submissions }) => submissions.get(submissionId)?.resolved ?? null,
        );
        if (from === null) break;
        await resolvePiece(host, workspaceId, submitted, from);
      }
    }
  },
};

async function resolvePiece(
  host: ProcessHost,
  workspaceId: number,
  submitted: OpenSubmission,
  from: number,
): Promise<void> {
  const { submissionId, submittedAt } = submitted;
  const context = (step: string) => contextOf(workspaceId, submitted, `${from}:${step}`);
  const accounts = await accountsFrom(host, workspaceId, submissionId, from);
  const judged = judgeAccounts(accounts, await host.directory.resolveCompanies(askedFor(accounts)));
  const companies = judged.map((judgement) => companyOf(host, judgement));
  const claims = identityClaims(host, workspaceId, context);
  const found = companies.filter((each) => each !== null);
  const claimed = await claims.claimCompanies(found);
  const companyIds = new Map<SeenCompany | null, number | undefined>(
    found.map((each, index) => [each, claimed[index]] as const),
  );
  const accountIds = await host.ids.nextMany('account', accounts.length);
  const resolved = accounts.map((account, index): ResolvedAccount => ({
    accountId: allocatedId(accountIds, index),
    account,
    outcome: outcomeOf(judged[index], companyIds.get(companies[index] ?? null)),
  }));
  const failed = await failedAmong(host, workspaceId, [...new Set(claimed)]);
  const now = host.clock.now().toISOString();
  await host.commands.handle(
    topAccounts,
    String(workspaceId),
    resolveAccounts({ submissionId, from, accounts: resolved, failed, submittedAt, now }),
    { context: context('record'), waitForReadModels: false },
  );
}

/** Companies with a request that failed before. */
async function failedAmong(
  host: ProcessHost,
  workspaceId: number,
  companyIds: readonly number[],
): Promise<readonly Requestable[]> {
  const failed = await host.commands.load(topAccounts, String(workspaceId), ({ requests }) =>
    companyIds.filter((companyId) => failedTypes(requests.get(companyId), REQUEST_TYPES).length > 0),
  );
  return failed.length === 0 ? [] : requestableAccounts(host, workspaceId, failed);
}

/** Accounts of a submission from this index on, as many as are recorded in one step. */
async function accountsFrom(
  { commands }: ProcessHost,
  workspaceId: number,
  submissionId: string,
  from: number,
): Promise<readonly SubmittedAccount[]> {
  const next = await commands.load(submission, workspaceScoped(workspaceId, submissionId), ({ accounts }) =>
    accounts.slice(from, from + ACCOUNTS_AT_ONCE).map((account) => ({ ...account })),
  );
  const [first] = inPiecesOfBytes(next, ACCOUNTS_AT_ONCE, MOST_BYTES);
  if (first === undefined) throw new Error(`${submissionId} has no account at ${from}`);
  return first;
}

function companyOf(host: ProcessHost, judgement: Judgement<CompanyFacts>): SeenCompany | null {
  switch (judgement.kind) {
    case 'observed':
      return { ...observedCompanyOf(judgement.facts), alias: judgement.domain };
    case 'stub': {
      const { handle, domain } = judgement;
      const url = handle === null ? null : networkUrl(host.networkBaseUrl, 'company', handle);
      return companyStub({ handle, domain, networkUrl: url });
    }
    case 'not_found':
      return null;
  }
}

function outcomeOf(
  judgement: Judgement<CompanyFacts> | undefined,
  companyId: number | undefined,
): ResolvedAccount['outcome'] {
  if (judgement?.kind === 'not_found') return { reason: judgement.reason };
  if (judgement === undefined || companyId === undefined) throw new Error('an account has no company');
  return { companyId, companyRef: judgement.kind === 'observed' ? judgement.facts.ref : null };
}

function contextOf(workspaceId: number, submitted: OpenSubmission, step: string): CommandContext {
  const { submissionId, correlationId, eventId } = submitted;
  return {
    commandId: `resolve:${workspaceId}:${submissionId}:${step}`,
    actor: { kind: 'process', id: resolveTopAccounts.name },
    workspaceId,
    correlationId,
    causationId: eventId,
  };
}
