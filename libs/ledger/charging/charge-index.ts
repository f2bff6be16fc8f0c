import { fromStored, toStored } from '#kernel/values/credits.js';
import { StoreUnavailable, type Position } from '#kernel/ports/event-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { Recall } from '#kernel/ports/recall.port.js';
import { creditEvents } from '#ledger/domain/credits.events.js';
import {
  askAdjustment,
  askCharge,
  askCorrections,
  askEnded,
  askGrant,
  askMovement,
  type LedgerFact,
} from '#ledger/domain/ledger-memory.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import {
  creditMovements,
  type CreditMovementDocument,
} from '#projections/ledger/credit-movements/credit-movements.projection.js';
import {
  creditPostings,
  type CreditPostingDocument,
} from '#projections/ledger/credit-postings/credit-postings.projection.js';

const CATCH_UP_MS = 2_000;
const KEYS_AT_ONCE = 200;
const CREDITS = 'credits-';

/**
 * The index of old charge keys (LED-01). It reads the read models of movements and postings. Their checkpoints are
 * read first and prove up to which revision the result is complete.
 */
export function chargeIndex(
  readModels: ReadModels,
  engine: Pick<ProjectionEngine, 'standing' | 'reached'>,
): Recall {
  /** The position up to which both views have read this ledger; null if that is not far enough or unknown. */
  async function proof(workspaceId: number, upTo: Position): Promise<Position | null> {
    const views = [creditMovements, creditPostings];
    const standings = await Promise.all(views.map(({ name }) => engine.standing(name, workspaceId)));
    let position: Position | null = null;
    for (const [index, standing] of standings.entries()) {
      if (standing === null) return null;
      const stopped = standing.isParked ? 'parked' : standing.isHalted ? 'halted' : null;
      if (stopped !== null) throw new IndexStopped(views[index]?.name ?? '', stopped, workspaceId);
      if (position === null || standing.position < position) position = standing.position;
    }
    return position !== null && position >= upTo ? position : null;
  }

  return async (stream, questions, upTo) => {
    const workspaceId = Number(stream.slice(CREDITS.length));
    try {
      let position = await proof(workspaceId, upTo);
      if (position === null) {
        const written = { position: upTo, types: Object.keys(creditEvents), workspaceId };
        if (!(await engine.reached(written, CATCH_UP_MS))) return null;
        position = await proof(workspaceId, upTo);
        if (position === null) return null;
      }
      return { position, asked: questions, found: await lookUp(readModels, workspaceId, questions) };
    } catch (error) {
      // An unavailable read store does not refuse the command: the keys are read from the stream, which takes longer.
      if (error instanceof StoreUnavailable && !(error instanceof IndexStopped)) return null;
      throw error;
    }
  };
}

/** The index has left out events of this workspace, so that a missing key proves nothing. */
class IndexStopped extends StoreUnavailable {
  constructor(view: string, stopped: string, workspaceId: number) {
    super(`${view} is ${stopped} and cannot list the old charges of workspace ${workspaceId}`);
    this.name = 'IndexStopped';
  }
}

async function lookUp(
  readModels: ReadModels,
  workspaceId: number,
  questions: readonly string[],
): Promise<ReadonlyMap<string, JsonObject>> {
  const named = (kind: string): string[] =>
    questions.flatMap((question) =>
      question.startsWith(`${kind}/`) ? [question.slice(kind.length + 1)] : [],
    );
  const found = new Map<string, JsonObject>();
  for (const keys of chunks(named('charge'))) {
    const where = { workspaceId, key: { in: keys } };
    for (const row of await readModels.find(creditMovements, { where })) {
      found.set(askCharge(row.key), chargeFact(row));
    }
  }
  // The posting of a grant also says how much of it has ended.
  for (const ids of chunks([...new Set([...named('movement'), ...named('ended')])])) {
    const charges = await readModels.getMany(creditMovements, ids);
    for (const row of charges.values()) {
      if (row.workspaceId === workspaceId) found.set(askMovement(row.id), chargeFact(row));
    }
    const postings = await readModels.getMany(creditPostings, ids);
    for (const row of postings.values()) {
      if (row.workspaceId !== workspaceId) continue;
      found.set(askMovement(row.id), postingFact(row));
      if (row.ended !== undefined) found.set(askEnded(row.id), endedFact(row.id, row.ended));
    }
  }
  // Grants and withdrawals share one set of keys; adjustments have their own.
  for (const keys of chunks([...new Set([...named('grant'), ...named('adjustment')])])) {
    const where = { workspaceId, key: { in: keys } };
    for (const row of await readModels.find(creditPostings, { where })) {
      const ask = row.kind === 'adjustment' ? askAdjustment : askGrant;
      if (row.key !== null) found.set(ask(row.key), postingFact(row));
    }
  }
  for (const id of named('corrections')) {
    const fact = await correctionsFact(readModels, workspaceId, Number(id));
    if (fact !== null) found.set(askCorrections(fact.movementId), fact);
  }
  return found;
}

/** The sum of the adjustments of a movement; null if there are none. Only operators adjust, so the rows are few. */
async function correctionsFact(
  readModels: ReadModels,
  workspaceId: number,
  movementId: number,
): Promise<LedgerFact | null> {
  const rows = await readModels.find(creditPostings, { where: { workspaceId, corrects: movementId } });
  // The reversal of an opening names its movement, too, and is no adjustment.
  const corrections = rows.filter(({ kind }) => kind === 'adjustment');
  if (corrections.length === 0) return null;
  const credits = corrections.reduce((sum, row) => sum + fromStored(row.credits), 0n);
  const upTo = Math.max(...corrections.map(({ revision }) => revision));
  return { kind: 'corrections', movementId, credits: toStored(credits), upTo };
}

function endedFact(
  movementId: number,
  { credits, revision: upTo }: NonNullable<CreditPostingDocument['ended']>,
): LedgerFact {
  return { kind: 'ended', movementId, credits, upTo };
}

function chargeFact(row: CreditMovementDocument): LedgerFact {
  const { id: movementId, key, credits, product, payer, causeKind, status } = row;
  return { kind: 'charge', movementId, key, credits, product, payer, causeKind, status };
}

function postingFact(posting: CreditPostingDocument): LedgerFact {
  const { id, kind, key, credits, corrects, terms, lot } = posting;
  // The row holds the change of the available credits; the entry holds the amount without a sign.
  const isTaken = kind === 'withdrawal' || kind === 'reversal';
  const amount = isTaken ? toStored(-fromStored(credits)) : credits;
  return { kind, movementId: id, key, credits: amount, corrects, terms, lot };
}

function chunks<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / KEYS_AT_ONCE) }, (_, index) =>
    items.slice(index * KEYS_AT_ONCE, (index + 1) * KEYS_AT_ONCE),
  );
}
