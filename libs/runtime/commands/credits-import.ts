import { randomUUID } from 'node:crypto';
import { Type } from '#kernel/values/schema.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import { readOpeningFile, type OpeningFile } from '#ledger/commands/opening-file.js';
import { commitImport, planImport } from '#ledger/commands/opening-import.js';
import { importReport, ImportMode, ImportReport } from '#ledger/commands/opening-report.js';
import { described, Reason, WorkspaceId } from '#ops/support/inputs.js';
import { invalidInput } from '#ops/support/amounts.js';
import { streamCommand } from '#ops/support/operator-command.js';
import { contextOf } from '#ops/support/run-command.js';
import { fieldError } from '#kernel/values/refusal.js';
import { MAX_LINE_BYTES } from '#kernel/values/ndjson-lines.js';
import { isSubject, SUBJECT_FORMS } from '#signals/detection/subject-forms.js';

const readFile = (chunks: AsyncIterable<Uint8Array>, onProgress: OnProgress): Promise<OpeningFile> =>
  readOpeningFile(chunks, { isSubject, forms: SUBJECT_FORMS }, onProgress);

/** Checks only the file: no store is read. */
async function checkFile(chunks: AsyncIterable<Uint8Array>, onProgress: OnProgress) {
  const file = await readFile(chunks, onProgress);
  return importReport(file, { mode: 'check', outcome: 'file is valid', workspace_id: null }, null);
}

export const creditsImport = streamCommand({
  name: 'credits.import',
  summary:
    'Import the opening of a workspace from another system, once, before its first movement: one JSON object per line (docs/import.md)',
  contentType: 'application/x-ndjson',
  windowBytes: 2 * MAX_LINE_BYTES,
  input: Type.Object({
    workspace_id: Type.Optional(described('id of the workspace; not needed in mode check', WorkspaceId)),
    mode: Type.Optional(
      described(
        'check: read the file only; dry_run: show what commit would do (default); commit: import',
        ImportMode,
      ),
    ),
    reason: Type.Optional(
      described('reason; printed on the statement; default: "opening balance from <system>"', Reason),
    ),
  }),
  output: ImportReport,
  isFailure: (output) => typeof output === 'object' && output !== null && Reflect.get(output, 'ok') !== true,
  withoutStores: (chunks, { mode }, onProgress) => (mode === 'check' ? checkFile(chunks, onProgress) : null),
  async run(host, chunks, options, onProgress, operator) {
    const { mode = 'dry_run', workspace_id: workspaceId } = options;
    if (mode === 'check') return checkFile(chunks, onProgress);
    if (workspaceId === undefined)
      throw invalidInput({ errors: fieldError('workspace_id', `is required with mode ${mode}`) });
    const file = await readFile(chunks, onProgress);
    const reason = options.reason ?? `opening balance from ${file.system}`;
    const plan = await planImport(host, workspaceId, file, reason);
    const about = { mode, workspace_id: workspaceId };
    if (plan.imported !== null)
      return importReport(file, { ...about, outcome: 'was imported before' }, plan.imported);
    if (mode === 'dry_run') return importReport(file, { ...about, outcome: 'would be imported' }, null);
    const context = contextOf(operator, randomUUID(), randomUUID());
    const imported = await commitImport(host, plan, context, onProgress);
    return importReport(file, { ...about, outcome: 'imported' }, imported);
  },
});
