import type { CreditAccount } from '#ledger/domain/account-state.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { creditEvents, type CreditEvent } from '#ledger/domain/credits.events.js';
import { emptySums } from '#ledger/history/ledger-sums.js';
import type { StatementRange } from '#ledger/history/statement.js';
import type { Decider } from '#kernel/commands/decider.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { history } from '#kernel/testing/scenario.js';
import { ledgerCsv } from '#ledger/export/csv.js';
import type { ExportedLedger } from '#ledger/export/exported-ledger.js';
import { ledgerJournal } from '#ledger/export/journal.js';
import { ledgerJsonLines } from '#ledger/export/json-lines.js';

/** Text that a spreadsheet, a journal or a JSON parser could misinterpret. */
export const NASTY = '=HYPERLINK("http://x","a"), date:2020-01-01 [2019-01-01]  ; a | b\r\n%é\t@';

const held = (movementId: number, key: string, credits: string, more: object = {}): CreditEvent => ({
  type: 'CreditsHeld',
  data: {
    movementId,
    key,
    credits,
    product: 'keyword_match',
    payer: 'workspace',
    cause: { kind: 'signal', launchId: 9, runId: 4, agentId: 3, subject: `post:${movementId}` },
    ...more,
  },
});

/** In the form of an earlier version: its export is the golden file, which never changes. */
const earlierAccount: Decider<CreditAccount, typeof creditEvents> = {
  ...creditAccount,
  vocabulary: { ...creditEvents, CreditsHeld: { ...creditEvents.CreditsHeld, schemaVersion: 1 } },
};

/** Two months with every kind of entry, one open hold across the end of the month, and a partner who pays. */
export const sampleLedger: readonly StoredEvent[] = history(earlierAccount, [
  { type: 'BillingModeSet', data: { billing: 'self' }, at: '2026-01-01T00:00:00.000Z' },
  {
    type: 'CreditsGranted',
    data: { movementId: 1, key: 'contract', credits: '100000000', reason: 'contract 2026' },
    at: '2026-01-02T09:00:00.000Z',
  },
  { ...held(2, 'launch:9:post:2', '10000000'), at: '2026-01-05T10:00:00.000Z' },
  { ...held(3, 'launch:9:post:3', '12345678'), at: '2026-01-05T10:00:00.000Z' },
  {
    type: 'CreditsCaptured',
    data: { movementId: 2, key: 'launch:9:post:2' },
    at: '2026-01-05T10:00:01.000Z',
  },
  {
    ...held(4, NASTY, '1', { product: NASTY, cause: { kind: 'operator', subject: NASTY } }),
    at: '2026-01-31T23:59:59.999Z',
  },
  {
    type: 'CreditsReleased',
    data: { movementId: 3, key: 'launch:9:post:3', reason: 'expired' },
    at: '2026-02-01T00:00:00.000Z',
  },
  { type: 'CreditsCaptured', data: { movementId: 4, key: NASTY }, at: '2026-02-01T00:00:00.000Z' },
  {
    type: 'CreditsAdjusted',
    data: { movementId: 5, credits: '-2500000', reason: NASTY, corrects: 2 },
    at: '2026-02-03T00:00:00.000Z',
  },
  {
    type: 'CreditsWithdrawn',
    data: { movementId: 6, credits: '50000000', reason: 'reduced' },
    at: '2026-02-04T00:00:00.000Z',
  },
  { type: 'BillingModeSet', data: { billing: 'partner', partnerId: 7 }, at: '2026-02-05T00:00:00.000Z' },
  { ...held(7, 'p1', '8000000', { payer: 'partner:7' }), at: '2026-02-06T00:00:00.000Z' },
  { ...held(8, 'p2', '3000000', { payer: 'partner:7' }), at: '2026-02-06T00:00:00.000Z' },
  { type: 'CreditsCaptured', data: { movementId: 7, key: 'p1' }, at: '2026-02-06T00:00:01.000Z' },
  { type: 'CreditsReleased', data: { movementId: 8, key: 'p2' }, at: '2026-02-06T00:00:01.000Z' },
]);

const writers = { csv: ledgerCsv, jsonl: ledgerJsonLines, journal: ledgerJournal };

/** A complete export of a ledger in memory; a period is read from the first entry on. */
export async function exported(
  format: keyof typeof writers,
  ledger: readonly StoredEvent[] = sampleLedger,
  range: StatementRange = { from: null, to: null },
): Promise<string> {
  const hasLots = ledger.some(
    ({ type, data }) =>
      type === 'LotGranted' ||
      type === 'LotAdjusted' ||
      (type === 'OpeningImported' && data['lots'] !== undefined),
  );
  const source: ExportedLedger = { workspaceId: 1, range, history: [ledger], sums: emptySums(), hasLots };
  let text = '';
  for await (const piece of writers[format](source)) text += piece;
  return text;
}
