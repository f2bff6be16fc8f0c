import { sourceOfKey } from './domain/monitoring.events.js';
import type { ChargeOrigin } from '#ledger/answers/charge-origin.js';
import { listKey, lists } from '#projections/lists/lists/lists.projection.js';
import {
  monitoredUnitKey,
  monitoredUnits,
  wantedByAt,
} from '#projections/monitoring/monitored-units/monitored-units.projection.js';

const MOST_SOURCES = 100;

/** Why an account was wanted when the month began that this charge has paid; null for another charge. */
export const wantedByOfCharge: ChargeOrigin = async (readModels, charge) => {
  const { workspaceId, causeKind, companyId, personaId, createdAt } = charge;
  if (causeKind !== 'monitoring' || companyId === null || personaId === null) return { wanted_by: null };
  const key = monitoredUnitKey(workspaceId, companyId, personaId);
  const unit = await readModels.get(monitoredUnits, key);
  if (unit === null) return { wanted_by: null };
  const sources = wantedByAt(unit, createdAt)
    .slice(0, MOST_SOURCES)
    .flatMap((source) => sourceOfKey(source) ?? []);
  const listIds = [...new Set(sources.flatMap(({ listId }) => listId ?? []))];
  const known = await readModels.getMany(
    lists,
    listIds.map((id) => listKey(workspaceId, id)),
  );
  const wantedBy = sources.map(({ kind, listId = null, memberId = null, accountId = null }) => ({
    kind,
    list:
      listId === null ? null : { id: listId, name: known.get(listKey(workspaceId, listId))?.name ?? null },
    member_id: memberId,
    account_id: accountId,
  }));
  return { wanted_by: wantedBy };
};
