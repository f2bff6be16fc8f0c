import { eachPage } from '#kernel/projections/each-page.js';
import { companyRefs, observedRefsOf } from '#identities/company-refs.js';
import { topAccounts } from '#projections/accounts/top-accounts/top-accounts.projection.js';
import type { TopAccounts } from '#signals/detection/top-accounts.port.js';
import { isMade } from '#network/resolution.js';
import type { ProcessHost } from '#process-engine/process.js';

const ACCOUNTS_AT_ONCE = 1_000;

/** Top accounts from the read model `top-accounts`. */
export function foundTopAccounts(host: Pick<ProcessHost, 'readModels' | 'directory'>): TopAccounts {
  return {
    count: (workspaceId) => host.readModels.count(topAccounts, { where: { workspaceId } }),
    async refs(workspaceId) {
      const refs: string[] = [];
      const pages = eachPage(host.readModels, topAccounts, {
        where: { workspaceId },
        sort: [['id', 'asc']],
        limit: ACCOUNTS_AT_ONCE,
      });
      for await (const page of pages) {
        // A company that was not observed when it was found is looked up again, because it may be observed now.
        const isObserved = (ref: string | null): ref is string => ref !== null && !isMade(ref);
        const unknown = page.flatMap(({ companyId, companyRef }) =>
          isObserved(companyRef) ? [] : companyId,
        );
        const learned = await companyRefs(host, unknown);
        const observed = page.map(({ companyRef }) => companyRef).filter(isObserved);
        const facts = await host.directory.companies(observed);
        const reported = await observedRefsOf(host.directory, [...facts.values()]);
        refs.push(
          ...page.flatMap(({ companyId, companyRef }) =>
            isObserved(companyRef)
              ? (reported.get(companyRef) ?? companyRef)
              : (learned.get(companyId) ?? companyRef ?? []),
          ),
        );
      }
      return [...new Set(refs)];
    },
  };
}
