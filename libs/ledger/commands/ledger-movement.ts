import { Type } from '#kernel/values/schema.js';
import { movementUnknown } from '#ledger/domain/credit-account.js';
import { MovementDetailAnswer } from '#ledger/answers/movement.answer.js';
import { movementEntries, OperatorEntryAnswer } from '#ledger/answers/entry.answer.js';
import { heldShareView, HeldShareAnswer } from '#ledger/answers/lots.answer.js';
import { movementTrail } from '#ledger/answers/movement-trail.js';
import type { StoredShare } from '#ledger/domain/credits.events.js';
import { readEntry } from '#ledger/domain/ledger-entry.js';
import type { LedgerReader } from '#ledger/history/ledger-reader.js';
import { MovementId, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const ledgerMovement = operatorCommand({
  name: 'ledger.movement',
  forFinance: true,
  summary: 'Show why a movement was made: its cause, the objects that its ids name, and its ledger entries',
  input: Type.Object({ workspace_id: WorkspaceId, movement_id: MovementId }),
  output: Type.Object({
    ...MovementDetailAnswer.properties,
    /** The parts of a charge, withdrawal or adjustment that come from lots with terms; absent if there are none. */
    lots: Type.Optional(Type.Array(HeldShareAnswer)),
    entries: Type.Array(OperatorEntryAnswer),
  }),
  async run(host, { workspace_id: workspaceId, movement_id: movementId }) {
    const trail = await movementTrail(host.readModels, host.chargeOrigins, workspaceId, movementId);
    if (trail === null) throw movementUnknown();
    const entries = await movementEntries(host.ledgers, workspaceId, trail.revisions);
    const { movement, revisions } = trail;
    const [first] = revisions;
    const lots = first === undefined ? [] : await takenShares(host.ledgers, workspaceId, first);
    return { ...movement, ...(lots.length === 0 ? {} : { lots: lots.map(heldShareView) }), entries };
  },
});

/** The shares of lots that an entry takes. A hold chooses them for good, so they are those of its end, too. */
async function takenShares(
  ledgers: LedgerReader,
  workspaceId: number,
  revision: number,
): Promise<readonly StoredShare[]> {
  const stored = await ledgers.entryAt(workspaceId, BigInt(revision));
  const entry = stored === null ? null : readEntry(stored);
  const isTaking =
    entry?.type === 'CreditsHeld' || entry?.type === 'CreditsWithdrawn' || entry?.type === 'CreditsAdjusted';
  return isTaking ? (entry.data.lots ?? []) : [];
}
