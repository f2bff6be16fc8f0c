import { contextOfStep, workspaceScoped } from '#kernel/commands/decider.js';
import { parseInstant } from '#kernel/values/instants.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { canonicalJson } from '#kernel/values/json.js';
import { fieldError } from '#kernel/values/refusal.js';
import { Id, OneOf, Type, type Static } from '#kernel/values/schema.js';
import { importMapping, mapping } from '#accounts/domain/mappings/mapping.js';
import { mappingDay, mappingDayOf } from '#accounts/domain/mappings/mapping-day.js';
import { claimHostOf } from '#identities/claim-host.js';
import { identityClaims } from '#identities/claim-identities.js';
import { findCompany } from '#identities/find-companies.js';
import { invalidInput } from '#ops/support/amounts.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { claim, operatorRequest, operatorStream } from '#keyed-requests/request.js';
import { namedCompany } from '#signals/commands/named-on-network.js';
import type { PlannedImport } from '#signals/commands/legacy-agents.js';

/** Members of an unattributed mapping of an earlier system; all may be absent. */
export const legacyMappingMembers = {
  company_domain: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
  company_network_handle: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  request_date: Type.Optional(Type.String({ maxLength: 40 })),
  // Nothing here would finish one that is in progress.
  status: Type.Optional(OneOf('complete')),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  persona_id: Type.Optional(Type.Null()),
};
const LegacyMapping = Type.Object({ ...legacyMappingMembers, workspace_id: Id, legacy_id: Type.String() });
type LegacyMapping = Static<typeof LegacyMapping>;

/** Company and day of a mapping, where both are known: no other unattributed mapping may have them (MAP-45). */
type PlannedMapping = PlannedImport & { readonly companyDay: string | null };

/** Whether the mapping of this id was imported. */
export const isMappingImported = (
  host: Pick<OperatorHost, 'commands'>,
  workspaceId: number,
  mappingId: number,
) => host.commands.load(mapping, workspaceScoped(workspaceId, mappingId), ({ started }) => started !== null);

/** Checks a row without writing. Throws a refusal whose errors name the wrong members. */
export async function planLegacyMapping(host: OperatorHost, row: LegacyMapping): Promise<PlannedMapping> {
  const { workspace_id: workspaceId, legacy_id: legacyId, status = null, version = null } = row;
  const requestDate = readRequestDate(row.request_date ?? null, host.clock.now());
  const company = await namedCompany(host, row);
  const requestHash = sha256Hex(canonicalJson([workspaceId, legacyId]));
  if (company !== null && requestDate !== null) {
    const companyId = await findCompany(claimHostOf(host), workspaceId, company);
    if (companyId !== null) await requireFreeDay(host, { workspaceId, companyId, requestDate, requestHash });
  }
  return {
    note: null,
    companyDay: company && requestDate && `${workspaceId} ${company.identity} ${requestDate}`,
    async write(mappingId, context) {
      const { claimCompany } = identityClaims(claimHostOf(host), workspaceId, (step) =>
        contextOfStep(context, step),
      );
      const companyId = company && (await claimCompany(company));
      if (companyId !== null && requestDate !== null) {
        const day = claim('request_date', {
          requestHash,
          commandId: context.commandId,
          ids: { id: mappingId },
        });
        const dayStream = claimedDay(workspaceId, companyId, requestDate);
        await host.commands.handle(operatorRequest, dayStream, day, { context });
      }
      const imported = { mappingId, legacyId, companyId, requestDate, status, version };
      const stream = workspaceScoped(workspaceId, mappingId);
      return (await host.commands.handle(mapping, stream, importMapping(imported), { context })).appended > 0;
    },
  };
}

/** Refuses a second unattributed mapping of one company and day. */
export const takenDay = () =>
  invalidInput({
    errors: fieldError('request_date', 'is a day for which the company already has an unattributed mapping'),
  });

/** A day before today: no launch can start for such a day, so none conflicts with the imported mapping. */
function readRequestDate(text: string | null, now: Date): string | null {
  if (text === null) return null;
  const instant = parseInstant(text);
  if (instant === null || !instant.dateOnly)
    throw invalidInput({ errors: fieldError('request_date', 'must be a date, YYYY-MM-DD') });
  if (text >= now.toISOString().slice(0, 10))
    throw invalidInput({ errors: fieldError('request_date', 'must be before today') });
  return text;
}

/** The stream with which an imported mapping claims the day of a company. */
const claimedDay = (workspaceId: number, companyId: number, requestDate: string): string =>
  operatorStream('legacy.import', `${workspaceId}:${companyId}:${requestDate}`);

/** Throws `takenDay` if the company has an unattributed mapping of the day, or a launch that may still create one. */
async function requireFreeDay(
  { commands }: Pick<OperatorHost, 'commands'>,
  wanted: {
    readonly workspaceId: number;
    readonly companyId: number;
    readonly requestDate: string;
    readonly requestHash: string;
  },
): Promise<void> {
  const { workspaceId, companyId, requestDate, requestHash } = wanted;
  const day = workspaceScoped(workspaceId, mappingDayOf(companyId, requestDate));
  if (await commands.load(mappingDay, day, ({ launches }) => launches.has(null))) throw takenDay();
  const dayStream = claimedDay(workspaceId, companyId, requestDate);
  const claimed = await commands.load(operatorRequest, dayStream, ({ claim: made }) => made);
  if (claimed !== null && claimed.requestHash !== requestHash) throw takenDay();
}
