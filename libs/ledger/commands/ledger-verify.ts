import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { requireReached } from '#kernel/ports/progress.port.js';
import { fieldError } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import { creditEvents } from '#ledger/domain/credits.events.js';
import { sealView, statementView } from '#ledger/answers/statement.answer.js';
import { VerificationAnswer, type LedgerVerification } from '#ledger/answers/verification.answer.js';
import { verifyLedger, type LedgerReadModels, type PrintedHead } from '#ledger/history/verify.js';
import { creditBalances } from '#projections/ledger/credit-balances/credit-balances.projection.js';
import {
  creditMovements,
  type CreditMovementDocument,
} from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { compareStatement, standingCheck, type GoneEntry } from '#ledger/history/still-standing.js';
import { presentSeal, wholeStatement } from '#ledger/history/whole-statement.js';
import { toStoredSums } from '#ledger/history/ledger-sums.js';
import { compareOpening } from '#ledger/export/compare-opening.js';
import { compareFigures, type ComputedFigures } from '#ledger/export/compare-printed.js';
import { readPrinted, type ReadStatement } from '#ledger/export/read-printed.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import { verifyExport } from '#ledger/export/verify-export.js';
import { ledgerHead, ledgerHistory } from '#ledger/history/ledger-history.js';
import { operatorCommand, type OperatorHost } from '#ops/support/operator-command.js';

const CATCH_UP_MS = 10_000;

export const ledgerVerify = operatorCommand({
  name: 'ledger.verify',
  forFinance: true,
  summary:
    'Recompute the hash chain and compare ledger and read models at one revision; --revision and --hash check an old statement, --file an old file',
  input: Type.Object({
    workspace_id: WorkspaceId,
    revision: Type.Optional(described('revision of an old statement', Type.Integer({ minimum: 0 }))),
    hash: Type.Optional(
      described('hash printed on that statement', Type.String({ pattern: '^[0-9a-f]{64}$' })),
    ),
  }),
  output: VerificationAnswer,
  onFile: async (chunks, { workspace_id: workspaceId, revision, hash }, onProgress, withHost) => {
    const printed = readPrintedHead(revision, hash);
    const { statement, whole } = await readPrinted(chunks);
    if (statement !== null) return withHost((host) => verifyStatement(host, statement, printed, onProgress));
    if (workspaceId === undefined) return verifyExport(whole, printed, onProgress);
    return withHost((host) => verifyStanding(host, workspaceId, whole, printed, onProgress));
  },
  async run(
    host,
    { workspace_id: workspaceId, revision, hash },
    _context,
    onProgress,
  ): Promise<LedgerVerification> {
    const printed = readPrintedHead(revision, hash);
    const head = await ledgerHead(host, workspaceId);
    return verifyLedger(
      ledgerHistory(host, head, onProgress),
      readModelsAt(host, workspaceId, head),
      printed,
    );
  },
});

/**
 * Verifies that the export is complete, and that the current ledger has all of its entries and the sums before them.
 */
async function verifyStanding(
  { eventStore, ledgers }: OperatorHost,
  workspaceId: number,
  chunks: AsyncIterable<Uint8Array>,
  printed: PrintedHead | null,
  onProgress: OnProgress,
): Promise<LedgerVerification> {
  const check = standingCheck(eventStore, workspaceId);
  try {
    let opening: LedgerVerification['differences'] = [];
    const verification = await verifyExport(chunks, printed, onProgress, check.compare, async (stated) => {
      if (stated.revision === null || check.firstGone() !== null) return;
      const sums = await ledgers.sumsBefore(workspaceId, BigInt(stated.revision) + 1n);
      opening = compareOpening(stated, toStoredSums(sums));
    });
    const differences = [...opening, ...verification.differences];
    return withGone({ ...verification, ok: differences.length === 0, differences }, check.firstGone());
  } finally {
    await check.end();
  }
}

/** Verifies that the ledger has the entries of a statement, and computes all of its figures from them. */
async function verifyStatement(
  host: OperatorHost,
  statement: ReadStatement,
  printed: PrintedHead | null,
  onProgress: OnProgress,
): Promise<LedgerVerification> {
  const { revision, hash, charges, workspaceId } = statement;
  const proven = { ok: true, revision, movements: charges, hash, differences: [] };
  const gone =
    (await compareStatement(host.eventStore, statement)) ??
    (printed && (await compareStatement(host.eventStore, { workspaceId, rows: [], ...printed })));
  if (gone !== null) return withGone(proven, gone);
  const differences = compareFigures(statement.figures, await figuresNow(host, statement, onProgress));
  return { ...proven, ok: differences.length === 0, differences };
}

/** The figures of the same statement, computed from the ledger. */
async function figuresNow(
  host: OperatorHost,
  { workspaceId, from, to, revision, figures }: ReadStatement,
  onProgress: OnProgress,
): Promise<ComputedFigures> {
  const head = await ledgerHead(host, workspaceId);
  const asOf = revision === null ? {} : { revision: BigInt(revision) };
  const withActor = figures.rows.some((row) => row['actor'] !== undefined);
  const range = { from, to, asOf, withActor };
  const statement = await wholeStatement(host, head, workspaceId, range, onProgress);
  const seal = await presentSeal(host.commands, workspaceId, range);
  return { view: statementView(statement), rows: statement.rows, seal: seal && sealView(seal) };
}

function withGone(verification: LedgerVerification, gone: GoneEntry | null): LedgerVerification {
  if (gone === null) return verification;
  return { ...verification, ok: false, differences: [gone, ...verification.differences] };
}

function readPrintedHead(revision: number | undefined, hash: string | undefined): PrintedHead | null {
  if (revision === undefined && hash === undefined) return null;
  if (revision === undefined) throw invalidInput({ errors: fieldError('revision', 'is required with hash') });
  if (hash === undefined) throw invalidInput({ errors: fieldError('hash', 'is required with revision') });
  return { revision, hash };
}

/**
 * Waits until the read models have read the head. Throws `ReadModelUnavailable` if they do not reach it: a late read
 * model is no difference. Parked or halted views are not waited for, so their missing rows are reported as
 * differences.
 */
async function shown(host: OperatorHost, workspaceId: number, head: StoredEvent): Promise<void> {
  const written = { position: head.position, types: Object.keys(creditEvents), workspaceId };
  const behind = `the read models do not show revision ${head.revision} of the ledger yet, so nothing was compared: try again`;
  await requireReached(host.progress, written, CATCH_UP_MS, behind);
}

/**
 * The read models as they were at the head, while they continue to change. Rows carry the revisions of their hold and
 * their end; a balance of a later revision is compared with the entries up to that revision.
 */
function readModelsAt(host: OperatorHost, workspaceId: number, head: StoredEvent): LedgerReadModels {
  const { readModels, ledgers } = host;
  const last = Number(head.revision);
  // Waits only before the first read of a read model. If the ledger itself cannot be read, that error is answered at
  // once.
  let waiting: Promise<void> | null = null;
  const isShown = (): Promise<void> => (waiting ??= shown(host, workspaceId, head));
  const headAt = head.metadata['recordedAt'] ?? '';
  return {
    async rows(movementIds) {
      await isShown();
      const rows = await readModels.getMany(creditMovements, movementIds.map(String));
      const own = [...rows.values()].filter((row) => row.workspaceId === workspaceId);
      return new Map(own.map((row) => [row.id, rowAt(row, last)]));
    },
    mark: (revision) => ledgers.markAt(workspaceId, revision),
    async countRows() {
      await isShown();
      // Recorded times never decrease, so only rows with the head's own time can be newer than the head.
      const before = await readModels.count(creditMovements, {
        where: { workspaceId, createdAt: { lt: headAt } },
      });
      const atHead = await readModels.find(creditMovements, {
        where: { workspaceId, createdAt: headAt },
      });
      return before + atHead.filter(({ heldRevision }) => heldRevision <= last).length;
    },
    async balance() {
      await isShown();
      return readModels.get(creditBalances, String(workspaceId));
    },
    later: (from) => host.eventStore.readStream(head.stream, { from }),
  };
}

/** A row as it was at a revision: a movement that ended later was held. */
const rowAt = (row: CreditMovementDocument, revision: number): CreditMovementDocument =>
  row.endedRevision !== null && row.endedRevision > revision ? { ...row, status: 'held' } : row;
