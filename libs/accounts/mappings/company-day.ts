import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { contentRequest, createContentRequest } from '#accounts/domain/content-requests/content-request.js';
import { mappingDayOf, type MappingLaunch } from '#accounts/domain/mappings/mapping-day.js';

/** A company of a workspace on one day (UTC). */
export type CompanyDay = {
  readonly workspaceId: number;
  readonly companyId: number;
  readonly requestDate: string;
};

/** The id part of the stream that decides launches. */
export const dayStream = ({ workspaceId, companyId, requestDate }: CompanyDay): string =>
  workspaceScoped(workspaceId, mappingDayOf(companyId, requestDate));

/** Creates the request of a confirmed launch. Idempotent. */
export async function createRequest(
  commands: Commands,
  { workspaceId, companyId, requestDate }: CompanyDay,
  launch: Pick<MappingLaunch, 'requestId' | 'mappingId' | 'identifier' | 'movementId' | 'reservedAt'> & {
    readonly personaId: number | null;
  },
  context: CommandContext,
  { waitForReadModels = true }: { readonly waitForReadModels?: boolean } = {},
): Promise<void> {
  const { requestId, mappingId, identifier, movementId, reservedAt, personaId } = launch;
  const decision = createContentRequest({
    requestId,
    type: 'account_mapping',
    companyId,
    personaId,
    source: 'api',
    identifier,
    requestDate,
    mappingId,
    movementId,
    createdAt: reservedAt,
  });
  const stream = workspaceScoped(workspaceId, requestId);
  await commands.handle(contentRequest, stream, decision, { context, waitForReadModels });
}
