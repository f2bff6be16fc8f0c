import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { sourceOfKey } from './domain/monitoring.events.js';
import type { ChargeOrigin } from '#ledger/answers/movement-trail.js';
import type { CreditMovementDocument } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { listKey, lists } from '#projections/lists/lists/lists.projection.js';
import {
  monitoredUnitKey,
  monitoredUnits,
  wantedByAt,
} from '#projections/monitoring/monitored-units/monitored-units.projection.js';

const MOST_SOURCES = 100;

export const wantedByOfCharge: ChargeOrigin = async (readModels, charge) => ({
  wanted_by: await wantedByOf(readModels, charge),
});

/** Why an account was wanted when the month began that this charge has paid; null for another charge. */
async function wantedByOf(readModels: ReadModels, charge: CreditMovementDocument) {
  const { workspaceId, causeKind, companyId, personaId, createdAt } = charge;
  if (causeKind !== 'monitoring' || companyId === null || personaId === null) return null;
  const key = monitoredUnitKey(workspaceId, companyId, personaId);
  const unit = await readModels.get(monitoredUnits, key);
  if (unit === null) return null;
  const sources = wantedByAt(unit, createdAt)
    .slice(0, MOST_SOURCES)
    .flatMap((source) => sourceOfKey(source) ?? []);
  const listIds = [...new Set(sources.flatMap(({ listId }) => listId ?? []))];
  const known = await readModels.getMany(
    lists,
    listIds.map((id) => listKey(workspaceId, id)),
  );
  return sources.map(({ kind, listId = null, memberId = null, accountId = null }) => ({
    kind,
    list:
      listId === null ? null : { id: listId, name: known.get(listKey(workspaceId, listId))?.name ?? null },
    member_id: memberId,
    account_id: accountId,
  }));
}
