import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { companies, companyKey } from '#projections/identities/companies/companies.projection.js';
import {
  creditMovementKey,
  creditMovements,
  type CreditMovementDocument,
} from '#projections/ledger/credit-movements/credit-movements.projection.js';
import {
  creditPostingKey,
  creditPostings,
  type CreditPostingDocument,
} from '#projections/ledger/credit-postings/credit-postings.projection.js';
import { personaKey, personas } from '#projections/lists/personas/personas.projection.js';
import { namedByCharge, type ChargeOrigin, type MovementOrigin } from './charge-origin.js';
import { movementRow } from './movement.answer.js';

const MOST_CORRECTIONS = 100;
const NO_ORIGIN: MovementOrigin = {
  signal: null,
  run: null,
  signal_setup: null,
  agent: null,
  company: null,
  persona: null,
  wanted_by: null,
};

/**
 * A movement of the workspace, with the objects that its cause names and the revisions of its ledger entries. Null if
 * the movement does not exist or belongs to another workspace.
 */
export async function movementTrail(
  readModels: ReadModels,
  origins: readonly ChargeOrigin[],
  workspaceId: number,
  movementId: number,
) {
  const [charge, posting] = await Promise.all([
    readModels.get(creditMovements, creditMovementKey(movementId)),
    readModels.get(creditPostings, creditPostingKey(movementId)),
  ]);
  const ownCharge = ownedBy(workspaceId, charge);
  const ownPosting = ownedBy(workspaceId, posting);
  if (ownCharge === null && ownPosting === null) return null;
  const corrections = await correctionsOf(readModels, workspaceId, movementId);
  if (ownCharge !== null) {
    const origin = await originOf(readModels, origins, ownCharge);
    return { movement: { ...chargeView(ownCharge), origin, corrections }, revisions: revisionsOf(ownCharge) };
  }
  if (ownPosting === null) return null;
  return {
    movement: { ...postingView(ownPosting), origin: NO_ORIGIN, corrections },
    revisions: postedRevisions(ownPosting),
  };
}

function chargeView(charge: CreditMovementDocument) {
  const { id, status, ...row } = movementRow(charge);
  return { id, kind: 'charge' as const, status, ...row };
}

const postingView = (posting: CreditPostingDocument) => ({
  id: posting.id,
  kind: posting.kind,
  status: 'posted' as const,
  created_at: posting.createdAt,
  ended_at: posting.createdAt,
  product: null,
  credits: toJsonNumber(fromStored(posting.credits)),
  payer: 'workspace' as const,
  key: posting.key,
  cause: { kind: 'operator' as const, reason: posting.reason, corrects: posting.corrects ?? undefined },
});

const revisionsOf = ({ heldRevision, endedRevision }: CreditMovementDocument): readonly number[] =>
  endedRevision === null ? [heldRevision] : [heldRevision, endedRevision];

/** The entry of a posting, and the entries in which credits that it granted expired or were reversed. */
const postedRevisions = ({ revision, ended }: CreditPostingDocument): readonly number[] =>
  ended === undefined ? [revision] : [revision, ...(ended.earlier ?? []), ended.revision];

async function originOf(
  readModels: ReadModels,
  origins: readonly ChargeOrigin[],
  charge: CreditMovementDocument,
): Promise<MovementOrigin> {
  const { companyId, personaId } = charge;
  const [company, persona, parts] = await Promise.all([
    namedByCharge(readModels, charge, companies, companyId, companyKey),
    namedByCharge(readModels, charge, personas, personaId, (id) => personaKey(charge.workspaceId, id)),
    Promise.all(origins.map((origin) => origin(readModels, charge))),
  ]);
  return Object.assign(
    {
      ...NO_ORIGIN,
      company: company && { id: company.id, name: company.facts.name },
      persona: persona && { id: persona.id, name: persona.tag },
    },
    ...parts,
  );
}

async function correctionsOf(readModels: ReadModels, workspaceId: number, movementId: number) {
  const found = await readModels.find(creditPostings, {
    where: { workspaceId, corrects: movementId },
    sort: [['id', 'asc']],
    // The reversal of an opening names its movement, too, and is no adjustment.
    limit: MOST_CORRECTIONS + 1,
  });
  return found
    .filter(({ kind }) => kind === 'adjustment')
    .slice(0, MOST_CORRECTIONS)
    .map(({ id, createdAt, credits, reason }) => ({
      movement_id: id,
      at: createdAt,
      credits: toJsonNumber(fromStored(credits)),
      reason,
    }));
}
