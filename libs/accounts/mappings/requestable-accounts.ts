import { workspaceScoped } from '#kernel/commands/decider.js';
import type { Commands } from '#kernel/commands/commands.js';
import { allocatedId, type Ids } from '#kernel/commands/ids.js';
import { ReadModelUnavailable, type ReadModels } from '#kernel/ports/read-store.port.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { company } from '#identities/domain/companies/company.js';
import { REQUEST_TYPES, type RequestType } from '#accounts/domain/content-requests/content-request.events.js';
import type { Requestable } from '#accounts/domain/top-accounts/account-requests.js';
import { workspaceState } from '#accounts/workspace-state.js';
import { companies, companyKey } from '#projections/identities/companies/companies.projection.js';

const AT_ONCE = 20;

type RequestableHost = { readonly commands: Commands; readonly readModels: ReadModels; readonly ids: Ids };

/**
 * Active pipelines of a company: those that neither the workspace nor the company has switched off (OP-62), from
 * their streams. A read model may still show the state before a switch.
 */
export async function pipelinesOn(
  { commands }: Pick<RequestableHost, 'commands'>,
  workspaceId: number,
  companyId: number,
): Promise<readonly RequestType[]> {
  const { accountMapping } = await workspaceState(commands, workspaceId);
  return commands.load(company, workspaceScoped(workspaceId, companyId), ({ pipelines }) =>
    REQUEST_TYPES.filter(
      (type) => pipelines.get(type) !== 'disabled' && (type !== 'account_mapping' || accountMapping),
    ),
  );
}

/**
 * Companies with their active pipelines, and ids for their requests. Throws `ReadModelUnavailable` if the read models do
 * not show one of them yet: a request keeps the identifier with which it is planned.
 */
export async function requestableAccounts(
  host: RequestableHost,
  workspaceId: number,
  companyIds: readonly number[],
): Promise<readonly Requestable[]> {
  const [{ accountMapping }, known, requestIds, mappingIds] = await Promise.all([
    workspaceState(host.commands, workspaceId),
    host.readModels.getMany(companies, companyIds.map(companyKey)),
    host.ids.nextMany('contentRequest', companyIds.length * REQUEST_TYPES.length),
    host.ids.nextMany('mapping', companyIds.length),
  ]);
  const accounts = companyIds.map((companyId, index) => {
    const shown = known.get(companyKey(companyId));
    if (shown === undefined) throw new ReadModelUnavailable(`company ${companyId} is not shown yet`);
    return { companyId, index, shown };
  });
  return sideBySide(accounts, AT_ONCE, async ({ companyId, index, shown }) => {
    // A pipeline wrongly shown as on is detected when its request is worked on; one wrongly shown as off would never
    // be planned.
    const isShownOff = shown.pipelineConfigs.some(({ configuration }) => configuration === 'disabled');
    const on = isShownOff ? await pipelinesOn(host, workspaceId, companyId) : REQUEST_TYPES;
    return {
      companyId,
      identifier: shown.domain ?? shown.networkHandle,
      types: on.filter((type) => type !== 'account_mapping' || accountMapping),
      ids: {
        account_mapping: allocatedId(requestIds, index * REQUEST_TYPES.length),
        top_account_content: allocatedId(requestIds, index * REQUEST_TYPES.length + 1),
        mappingId: allocatedId(mappingIds, index),
      },
    };
  });
}
