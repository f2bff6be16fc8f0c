import { OneOf, Type } from '#kernel/values/schema.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { ledgerCsv } from '#ledger/export/csv.js';
import { inChunks, type ExportedLedger } from '#ledger/export/exported-ledger.js';
import { ledgerJournal } from '#ledger/export/journal.js';
import { ledgerJsonLines } from '#ledger/export/json-lines.js';
import { ledgerPeriod, momentEnd } from '#ledger/history/ledger-history.js';
import { headForMoment } from './head-for-moment.js';
import { MomentInput, readPeriod, WithInput } from './ledger-inputs.js';
import { exportCommand } from '#ops/support/operator-command.js';

const formats = {
  csv: { contentType: 'text/csv; charset=utf-8', write: ledgerCsv },
  jsonl: { contentType: 'application/x-ndjson', write: ledgerJsonLines },
  journal: { contentType: 'text/plain; charset=utf-8', write: ledgerJournal },
};

export const ledgerExport = exportCommand({
  name: 'ledger.export',
  forFinance: true,
  summary:
    'Export the ledger of a period as CSV, as JSON Lines (ledger verify --file checks it) or as an hledger journal',
  input: Type.Object({
    workspace_id: WorkspaceId,
    format: described(
      'csv: for spreadsheets, jsonl: for ledger verify --file, journal: for hledger',
      OneOf('csv', 'jsonl', 'journal'),
    ),
    from: Type.Optional(described('date or timestamp, inclusive', Type.String())),
    to: Type.Optional(described('date or timestamp, exclusive', Type.String())),
    at: Type.Optional(MomentInput),
    with: Type.Optional(WithInput),
  }),
  contentType: ({ format }) => formats[format].contentType,
  async run(host, input, onProgress) {
    const { workspace_id: workspaceId } = input;
    const { from, to } = readPeriod(input);
    const { head, moment: asOf } = await headForMoment(host, workspaceId, input.at);
    const { history, sums } = await ledgerPeriod(host, head, { workspaceId, from, asOf }, onProgress);
    const beforeTo = to === null ? head.revision + 1n : await host.ledgers.firstAt(workspaceId, to, head);
    const end = await momentEnd(host, workspaceId, asOf, head);
    const { books } = await host.ledgers.sumsBefore(workspaceId, beforeTo < end ? beforeTo : end);
    const range = { from, to, asOf, withActor: input.with === 'actor' };
    const ledger: ExportedLedger = { workspaceId, range, history, sums, hasLots: books.expired !== null };
    return inChunks(formats[input.format].write(ledger));
  },
});
