import type { Commands } from '#kernel/commands/commands.js';
import { allocatedId, type Ids } from '#kernel/commands/ids.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { REQUEST_TYPES, type RequestType } from '#domain/content-requests/content-request.events.js';
import type { Requestable } from '#domain/top-accounts/account-requests.js';
import { workspace } from '#domain/workspaces/workspace.js';
import { companies, companyKey, type CompanyDocument } from '#projections/companies/companies.projection.js';

type RequestableHost = { readonly commands: Commands; readonly readModels: ReadModels; readonly ids: Ids };

/** Whether a pipeline is on: for the workspace, and for each company that does not switch it off (OP-62). */
export async function pipelineSwitch(
  { commands }: Pick<RequestableHost, 'commands'>,
  workspaceId: number,
): Promise<(company: CompanyDocument | undefined, type: RequestType) => boolean> {
  const hasMapping = await commands.load(workspace, String(workspaceId), (state) => state.accountMapping);
  return (company, type) =>
    (type !== 'account_mapping' || hasMapping) &&
    company?.pipelineConfigs.some(
      ({ pipeline_type, configuration }) => pipeline_type === type && configuration === 'disabled',
    ) !== true;
}

/** Companies with the pipelines that are on for them, and ids for requests of theirs. */
export async function requestableAccounts(
  host: RequestableHost,
  workspaceId: number,
  companyIds: readonly number[],
): Promise<readonly Requestable[]> {
  const [isOn, known, requestIds, mappingIds] = await Promise.all([
    pipelineSwitch(host, workspaceId),
    host.readModels.getMany<CompanyDocument>(companies, companyIds.map(companyKey)),
    host.ids.nextMany('contentRequest', companyIds.length * REQUEST_TYPES.length),
    host.ids.nextMany('mapping', companyIds.length),
  ]);
  return companyIds.map((companyId, index) => {
    const company = known.get(companyKey(companyId));
    return {
      companyId,
      identifier: company?.domain ?? company?.networkHandle ?? null,
      types: REQUEST_TYPES.filter((type) => isOn(company, type)),
      ids: {
        account_mapping: allocatedId(requestIds, index * REQUEST_TYPES.length),
        top_account_content: allocatedId(requestIds, index * REQUEST_TYPES.length + 1),
        mappingId: allocatedId(mappingIds, index),
      },
    };
  });
}
