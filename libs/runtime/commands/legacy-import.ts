import { randomUUID } from 'node:crypto';
import { contextOfStep, type CommandContext } from '#kernel/commands/decider.js';
import { note, type Faults } from '#kernel/values/faults.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { canonicalJson } from '#kernel/values/json.js';
import { MAX_LINE_BYTES } from '#kernel/values/ndjson-lines.js';
import { fieldError, Refusal } from '#kernel/values/refusal.js';
import { Id, OneOf, Type } from '#kernel/values/schema.js';
import { isMappingImported, planLegacyMapping, takenDay } from './legacy-mappings.js';
import { claim, operatorRequest, operatorStream } from '#keyed-requests/request.js';
import { LineMessages } from '#ops/network/line-messages.js';
import { invalidInput } from '#ops/support/amounts.js';
import type { OperatorHost, StreamCommand } from '#ops/support/operator-command.js';
import { contextOf } from '#ops/support/run-command.js';
import { isAgentImported, planLegacyAgent, type PlannedImport } from '#signals/commands/legacy-agents.js';
import {
  legacyFileInvalid,
  MAX_FAULTS,
  readLegacyRows,
  type LegacyRow,
  type NumberedRow,
} from './legacy-rows.js';

/** A row that can be imported, or was imported before (`plan` is null). */
type JudgedRow = NumberedRow & {
  /** The stream of the claim that determines the id of the row. */
  readonly stream: string;
  readonly requestHash: string;
  readonly id: number | null;
  readonly plan: PlannedImport | null;
};

export const legacyImport: StreamCommand = {
  name: 'legacy.import',
  summary:
    'Import agents and unattributed mappings of an earlier system: one JSON object per line, all or none',
  contentType: 'application/x-ndjson',
  windowBytes: 2 * MAX_LINE_BYTES,
  output: Type.Object({
    imported: Type.Integer(),
    /** Rows that were imported before. */
    existing: Type.Integer(),
    rows: Type.Array(
      Type.Object({
        line: Type.Integer(),
        kind: OneOf('agent', 'mapping'),
        legacy_id: Type.String(),
        id: Id,
      }),
    ),
    notes: LineMessages,
  }),
  isFailure: () => false,
  async run(host, chunks, _options, onProgress, operator) {
    const rows = await judgedRows(host, chunks);
    const context = contextOf(operator, randomUUID(), randomUUID());
    const written = [];
    const notes = [];
    let imported = 0;
    for (const [index, row] of rows.entries()) {
      const { id, isNew } = await write(host, row, contextOfStep(context, row.line));
      written.push({ line: row.line, kind: row.row.kind, legacy_id: row.row.legacy_id, id });
      const message = row.plan?.note ?? null;
      // Another import of the same row at the same time may have written it.
      if (isNew) imported += 1;
      if (isNew && message !== null) notes.push({ line: row.line, message });
      onProgress({ done: index + 1, total: rows.length });
    }
    return { imported, existing: rows.length - imported, rows: written, notes };
  },
};

/** Checks every row before the first is written. Throws `legacyFileInvalid` with the line and member of each fault. */
async function judgedRows(
  host: OperatorHost,
  chunks: AsyncIterable<Uint8Array>,
): Promise<readonly JudgedRow[]> {
  const faults: Faults = new Map();
  const rows: JudgedRow[] = [];
  const [linesById, linesByDay] = [new Map<string, number>(), new Map<string, number>()];
  for (const { line, row } of await readLegacyRows(chunks, faults)) {
    if (faults.size >= MAX_FAULTS) break;
    try {
      const key = canonicalJson([row.workspace_id, row.kind, row.legacy_id]);
      requireFirst(linesById, key, line, 'legacy_id');
      rows.push({ line, row, ...(await judged(host, row, key, line, linesByDay)) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (const [field, messages] of error.details.errors ?? [['workspace_id', [error.message]]])
        for (const message of messages) note(faults, `line ${line} ${field}`, message);
    }
  }
  if (faults.size > 0) throw legacyFileInvalid({ errors: new Map([...faults].slice(0, MAX_FAULTS)) });
  return rows;
}

async function judged(
  host: OperatorHost,
  row: LegacyRow,
  key: string,
  line: number,
  linesByDay: Map<string, number>,
): Promise<Omit<JudgedRow, 'line' | 'row'>> {
  await host.requireWorkspace(row.workspace_id);
  const stream = operatorStream('legacy.import', key);
  const requestHash = sha256Hex(canonicalJson(row));
  const known = await host.commands.load(operatorRequest, stream, ({ claim: made }) => made);
  if (known !== null && known.requestHash !== requestHash)
    throw invalidInput({ errors: fieldError('legacy_id', 'was imported before with other members') });
  const id = typeof known?.ids['id'] === 'number' ? known.ids['id'] : null;
  const claimed = { stream, requestHash, id };
  if (row.kind === 'agent') {
    if (id !== null && (await isAgentImported(host, row.workspace_id, id))) return { ...claimed, plan: null };
    return { ...claimed, plan: await planLegacyAgent(host, row) };
  }
  if (id !== null && (await isMappingImported(host, row.workspace_id, id))) return { ...claimed, plan: null };
  const plan = await planLegacyMapping(host, row);
  if (plan.companyDay !== null) {
    if (linesByDay.has(plan.companyDay)) throw takenDay();
    linesByDay.set(plan.companyDay, line);
  }
  return { ...claimed, plan };
}

function requireFirst(lines: Map<string, number>, key: string, line: number, field: string): void {
  const first = lines.get(key);
  if (first !== undefined) throw invalidInput({ errors: fieldError(field, `is also in line ${first}`) });
  lines.set(key, line);
}

/** Writes a row under its id. The claim comes first: a repetition after a crash finds the id and continues. */
async function write(
  host: OperatorHost,
  { row, stream, requestHash, id, plan }: JudgedRow,
  context: CommandContext,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  if (id !== null && plan === null) return { id, isNew: false };
  const fresh = id ?? (await host.ids.next(row.kind));
  const { answer } = await host.commands.handle(
    operatorRequest,
    stream,
    claim('legacy_id', { requestHash, commandId: context.commandId, ids: { id: fresh } }),
    { context, answer: (state) => state.claim?.ids['id'] },
  );
  if (typeof answer !== 'number') throw new Error('the claim of a row holds no id');
  return { id: answer, isNew: (await plan?.write(answer, context)) ?? false };
}
