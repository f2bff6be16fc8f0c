import { sha256Hex } from '#kernel/values/hash.js';
import { contextOfStep, workspaceScoped } from '#kernel/commands/decider.js';
import { processContext } from '#kernel/commands/process-context.js';
import { claimHostOf } from '#identities/claim-host.js';
import { identityClaims } from '#identities/claim-identities.js';
import { observedCompanyOf } from '#identities/observed-facts.js';
import type { TopAccountEvents } from '#accounts/domain/top-accounts/top-accounts.events.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import type { TestService, TestWorkspace } from './service.js';

/** Records a company as found, without the pipelines that resolving a submission starts. */
export const topAccountFound = (data: TopAccountEvents['TopAccountFound']) => () => [
  { type: 'TopAccountFound' as const, data },
];

/** A top account as the product finds it, at once and without the pipelines that an added one starts. */
export async function foundTopAccount(
  { service }: TestService,
  workspace: TestWorkspace,
  handle: string,
): Promise<{ readonly accountId: number; readonly companyId: number }> {
  const { host } = service;
  const [resolution] = await host.network.directory.resolveCompanies([
    { by: 'handle', handle, entity: 'company' },
  ]);
  if (resolution?.outcome !== 'found') throw new Error(`the network has no observation of ${handle}`);
  const work = `found:${sha256Hex(workspaceScoped(workspace.id, handle))}`;
  const context = processContext('test', workspace.id, work);
  const claims = identityClaims(claimHostOf(host), workspace.id, (step) => contextOfStep(context, step));
  const companyId = await claims.claimCompany(observedCompanyOf(resolution.facts));
  const accountId = await host.ids.next('account');
  await host.commands.handle(
    topAccounts,
    String(workspace.id),
    topAccountFound({
      accountId,
      companyId,
      companyRef: resolution.facts.ref,
      tier: null,
      foundAt: host.clock.now().toISOString(),
    }),
    { context },
  );
  return { accountId, companyId };
}
