import { inPieces } from '#kernel/values/pieces.js';
import { isStubOfDomain, recordsBeforeStubs } from '#identities/records-before.js';
import { companies, companyKey } from '#projections/identities/companies/companies.projection.js';
import {
  monitoredUnitKey,
  monitoredUnits,
} from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import type { ProcessHost } from '#process-engine/process.js';

type Host = Pick<ProcessHost, 'commands' | 'ids' | 'readModels' | 'directory'>;

type Unit = { readonly companyId: number; readonly personaId: number };

const UNITS_AT_ONCE = 500;

/** Units whose months may be paid, and those of which nothing can be observed. */
type Separated<Each> = { readonly observable: readonly Each[]; readonly hidden: readonly Each[] };

/**
 * Separates the units of which nothing can be observed (MON-62): their company is known only by a domain, was never
 * observed, and the network finds no single company with that domain; or it is requested for the same business unit
 * under another name too, which takes precedence and pays. Units whose company the read model does not show yet are in
 * neither list.
 */
export async function separateObservable<Each extends Unit>(
  host: Host,
  workspaceId: number,
  units: readonly Each[],
): Promise<Separated<Each>> {
  const observable: Each[] = [];
  const hidden: Each[] = [];
  for (const piece of inPieces(units, UNITS_AT_ONCE)) {
    const companyIds = [...new Set(piece.map(({ companyId }) => companyId))];
    const known = await host.readModels.getMany(companies, companyIds.map(companyKey));
    const shown = piece.filter(({ companyId }) => known.has(companyKey(companyId)));
    const stubs = [...known.values()].filter(isStubOfDomain);
    if (stubs.length === 0) {
      observable.push(...shown);
      continue;
    }
    const before = await recordsBeforeStubs(host, workspaceId, stubs);
    const isStub = new Set(stubs.map(({ id }) => id));
    // The keys of the same company's units that would pay for this one.
    const payersOf = ({ companyId, personaId }: Unit): readonly string[] =>
      (before.get(companyId) ?? []).map((record) => monitoredUnitKey(workspaceId, record, personaId));
    const payers = await host.readModels.getMany(monitoredUnits, [...new Set(shown.flatMap(payersOf))]);
    const isWanted = (key: string): boolean => (payers.get(key)?.wantedSince ?? null) !== null;
    for (const unit of shown) {
      const isUnknown = isStub.has(unit.companyId) && !before.has(unit.companyId);
      const isPaidElsewhere = payersOf(unit).some(isWanted);
      (isUnknown || isPaidElsewhere ? hidden : observable).push(unit);
    }
  }
  return { observable, hidden };
}
