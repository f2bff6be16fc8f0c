import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { fieldError } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import { creditEvents } from '#domain/credits/credits.events.js';
import { VerificationAnswer, type Verification } from '#ledger/answers/verification.answer.js';
import { verifyLedger, type LedgerReadModels, type PrintedHead } from '#ledger/verify.js';
import {
  creditBalances,
  type CreditBalanceDocument,
} from '#projections/credit-balances/credit-balances.projection.js';
import {
  creditMovements,
  type CreditMovementDocument,
} from '#projections/credit-movements/credit-movements.projection.js';
import { invalidInput } from '../support/amounts.js';
import { described, WorkspaceId } from '../support/inputs.js';
import {
  compareStatement,
  standingCheck,
  type GoneEntry,
  type PrintedStatement,
} from '#ledger/still-standing.js';
import { readPrinted } from '#ledger/export/read-printed.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import { verifyExport } from '#ledger/export/verify-export.js';
import { ledgerHead, ledgerHistory } from '#ledger/ledger-history.js';
import { operatorCommand, type OperatorHost } from '../support/operator-command.js';

const CATCH_UP_MS = 10_000;
const TRIES = 3;

export const ledgerVerify = operatorCommand({
  name: 'ledger.verify',
  summary:
    'Recompute the hash chain and compare ledger and read models; an old statement by its revision and hash, or an old file with --file',
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
    if (statement !== null) return withHost((host) => verifyStatement(host, statement));
    if (workspaceId === undefined) return verifyExport(whole, printed, onProgress);
    return withHost((host) => verifyStanding(host, workspaceId, whole, printed, onProgress));
  },
  async run(
    host,
    { workspace_id: workspaceId, revision, hash },
    _context,
    onProgress,
  ): Promise<Verification> {
    const printed = readPrintedHead(revision, hash);
    for (let attempt = 1; ; attempt += 1) {
      const head = await ledgerHead(host, workspaceId);
      await caughtUp(host, workspaceId, head);
      const verification = await verifyLedger(
        ledgerHistory(host, head, onProgress),
        readModelsOf(host, workspaceId),
        printed,
      );
      const moved = (await ledgerHead(host, workspaceId)).revision > head.revision;
      // Read models that ran ahead while the ledger was read are no difference: look again.
      if (verification.ok || !moved || attempt === TRIES) return verification;
    }
  },
});

/** An export that is whole in itself, and whose entries all stand in the ledger that is there now. */
async function verifyStanding(
  { eventStore }: OperatorHost,
  workspaceId: number,
  chunks: AsyncIterable<Uint8Array>,
  printed: PrintedHead | null,
  onProgress: OnProgress,
): Promise<Verification> {
  const check = standingCheck(eventStore, workspaceId);
  try {
    const verification = await verifyExport(chunks, printed, onProgress, check.compare);
    return withGone(verification, check.firstGone());
  } finally {
    await check.end();
  }
}

async function verifyStatement(
  { eventStore }: OperatorHost,
  statement: PrintedStatement,
): Promise<Verification> {
  const { revision, hash, rows } = statement;
  const proven = { ok: true, revision, movements: rows.length, hash, differences: [] };
  return withGone(proven, await compareStatement(eventStore, statement));
}

function withGone(verification: Verification, gone: GoneEntry | null): Verification {
  if (gone === null) return verification;
  return { ...verification, ok: false, differences: [gone, ...verification.differences] };
}

function readPrintedHead(revision: number | undefined, hash: string | undefined): PrintedHead | null {
  if (revision === undefined && hash === undefined) return null;
  if (revision === undefined) throw invalidInput({ errors: fieldError('revision', 'is required with hash') });
  if (hash === undefined) throw invalidInput({ errors: fieldError('hash', 'is required with revision') });
  return { revision, hash };
}

/** Waits for the read models; where they stay behind, the comparison says so. */
async function caughtUp(host: OperatorHost, workspaceId: number, head: StoredEvent): Promise<void> {
  const written = { position: head.position, types: Object.keys(creditEvents), workspaceId };
  await host.progress.reached(written, CATCH_UP_MS);
}

function readModelsOf({ readModels, ledgers }: OperatorHost, workspaceId: number): LedgerReadModels {
  return {
    async rows(movementIds) {
      const rows = await readModels.getMany<CreditMovementDocument>(creditMovements, movementIds.map(String));
      const own = [...rows.values()].filter((row) => row.workspaceId === workspaceId);
      return new Map(own.map((row) => [row.id, row]));
    },
    mark: (revision) => ledgers.markAt(workspaceId, revision),
    countRows: () => readModels.count(creditMovements, { where: { workspaceId } }),
    balance: () => readModels.get<CreditBalanceDocument>(creditBalances, String(workspaceId)),
  };
}
