import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { inPieces } from '#kernel/values/pieces.js';
import type { Coverage } from '#detection/coverage.port.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import { companies, companyKey, type CompanyDocument } from '#projections/companies/companies.projection.js';
import {
  isCoveredAt,
  monitoredUnits,
  type MonitoredUnitDocument,
} from '#projections/monitored-units/monitored-units.projection.js';
import { personaKey, personas, type PersonaDocument } from '#projections/personas/personas.projection.js';
import {
  workspaceKey,
  workspaces,
  type WorkspaceDocument,
} from '#projections/workspaces/workspaces.projection.js';

const COMPANIES_AT_ONCE = 500;

/** The accounts that are covered because they are monitored (D-16). */
export function monitoredCoverage({
  readModels,
  directory,
}: {
  readonly readModels: ReadModels;
  readonly directory: NetworkDirectory;
}): Coverage {
  return {
    async coveredAccounts({ workspaceId, personaId, at }) {
      const persona = await readModels.get<PersonaDocument>(personas, personaKey(workspaceId, personaId));
      if (persona === null || persona.archived) return [];
      const workspace = await readModels.get<WorkspaceDocument>(workspaces, workspaceKey(workspaceId));
      const isExempt = workspace?.billing === 'exempt';
      const units = await readModels.find<MonitoredUnitDocument>(monitoredUnits, {
        where: { workspaceId, personaId },
      });
      const moment = at.toISOString();
      // A month that nobody pays ends with the monitoring: only one that was paid is used up.
      const isThere = ({ stoppedAt, wantedSince }: MonitoredUnitDocument): boolean =>
        !isExempt || wantedSince !== null || (stoppedAt !== null && stoppedAt > moment);
      const covered = units.filter((unit) => isCoveredAt(unit, moment) && isThere(unit));
      return refsOf(
        readModels,
        directory,
        covered.map(({ companyId }) => companyId),
      );
    },
  };
}

/** What the network calls these companies of a workspace; those that it does not know are left out. */
async function refsOf(
  readModels: ReadModels,
  directory: NetworkDirectory,
  companyIds: readonly number[],
): Promise<readonly string[]> {
  const refs = new Set<string>();
  for (const piece of inPieces(companyIds, COMPANIES_AT_ONCE)) {
    const found = await readModels.getMany<CompanyDocument>(companies, piece.map(companyKey));
    const resolutions = await directory.resolveCompanies([...found.values()].flatMap(identifierOf));
    for (const resolution of resolutions) if (resolution.outcome === 'found') refs.add(resolution.facts.ref);
  }
  return [...refs].sort();
}

function identifierOf({ networkHandle, domain }: CompanyDocument): readonly NetworkIdentifier[] {
  if (networkHandle !== null) return [{ by: 'handle', handle: networkHandle, entity: 'company' }];
  return domain === null ? [] : [{ by: 'domain', domain }];
}
