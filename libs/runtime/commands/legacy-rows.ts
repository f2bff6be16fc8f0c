import { isBlank } from '#kernel/values/blank-text.js';
import { note, type Faults } from '#kernel/values/faults.js';
import { ndjsonLines } from '#kernel/values/ndjson-lines.js';
import { errorsOf, type SchemaFault } from '#kernel/values/schema-faults.js';
import { refusal } from '#kernel/values/refusal.js';
import { OneOf, Type, type Static, type TObject } from '#kernel/values/schema.js';
import { legacyMappingMembers } from './legacy-mappings.js';
import { unfit } from '#ops/support/closed-schema.js';
import { jsonLine } from '#ops/support/json-line.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { legacyAgentMembers } from '#signals/commands/legacy-agents.js';

/** The maximum number of reported faults per file: the rest of the file is not read. */
export const MAX_FAULTS = 100;

/** Most rows and bytes of one import: all rows are checked before the first is written. */
const MAX_ROWS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Longest line, so that an agent is far smaller than an append may be. */
const MAX_ROW_BYTES = 64 * 1024;

const named = {
  workspace_id: WorkspaceId,
  legacy_id: Type.String({ minLength: 1, maxLength: 200 }),
};
const AgentRow = Type.Object({ kind: OneOf('agent'), ...named, ...legacyAgentMembers });
const MappingRow = Type.Object({ kind: OneOf('mapping'), ...named, ...legacyMappingMembers });
const AnyRow = Type.Object({ kind: OneOf('agent', 'mapping') });
/** Texts that must have a visible character. */
const TEXTS = ['legacy_id', 'name'];
export type LegacyRow = Static<typeof AgentRow> | Static<typeof MappingRow>;
export type NumberedRow = { readonly line: number; readonly row: LegacyRow };

export const legacyFileInvalid = refusal({
  code: 'legacy-file-invalid',
  kind: 'unprocessable',
  detail: 'The file is not valid: nothing was imported.',
});

/**
 * The rows of a file, one JSON object a line; faults go to `faults`, each as `line 3 name`. Throws
 * `legacyFileInvalid` for a file that is larger than one import may be.
 */
export async function readLegacyRows(
  chunks: AsyncIterable<Uint8Array>,
  faults: Faults,
): Promise<readonly NumberedRow[]> {
  const rows: NumberedRow[] = [];
  let bytesRead = 0;
  for await (const batch of ndjsonLines(chunks)) {
    for (const { number: line, bytes } of batch) {
      if (faults.size >= MAX_FAULTS) return rows;
      if (bytes === null || bytes.length > MAX_ROW_BYTES) {
        note(faults, `line ${line}`, `is longer than ${MAX_ROW_BYTES} bytes`);
        continue;
      }
      bytesRead += bytes.length;
      const row = rowOf(line, bytes, faults);
      if (row !== null) rows.push({ line, row });
      if (rows.length > MAX_ROWS || bytesRead > MAX_BYTES)
        throw legacyFileInvalid({
          detail: `One import takes at most ${MAX_ROWS} rows and 32 MiB: divide the file. Nothing was imported.`,
        });
    }
  }
  return rows;
}

/** Null for a blank line and for one with faults. */
function rowOf(line: number, bytes: Uint8Array, faults: Faults): LegacyRow | null {
  let row: unknown;
  try {
    row = jsonLine(bytes);
  } catch {
    note(faults, `line ${line}`, 'is not valid JSON in UTF-8');
    return null;
  }
  if (row === undefined) return null;
  if (fits(AgentRow, row) || fits(MappingRow, row)) {
    const blank = Object.entries(row).filter(
      ([key, value]) => TEXTS.includes(key) && typeof value === 'string' && isBlank(value),
    );
    for (const [key] of blank) note(faults, `line ${line} ${key}`, 'must not be blank');
    return blank.length === 0 ? row : null;
  }
  const schema = isOfKind(row, 'mapping') ? MappingRow : isOfKind(row, 'agent') ? AgentRow : AnyRow;
  const described = errorsOf(
    unfit(schema, row).filter(({ kind }) => schema !== AnyRow || kind !== 'undeclared'),
    (fault) => describe(line, fault),
  );
  for (const [field, messages] of described) for (const message of messages) note(faults, field, message);
  return null;
}

const fits = <Schema extends TObject>(schema: Schema, row: unknown): row is Static<Schema> =>
  unfit(schema, row).length === 0;

const isOfKind = (row: unknown, kind: string): boolean =>
  typeof row === 'object' && row !== null && Reflect.get(row, 'kind') === kind;

function describe(line: number, fault: SchemaFault): readonly [field: string, message: string] {
  const at = (path: readonly string[]): string => [`line ${line}`, path.join('.')].filter(Boolean).join(' ');
  if (fault.kind === 'invalid') return [at(fault.path), fault.message];
  const message = fault.kind === 'missing' ? 'is required' : 'is not a member of this kind of row';
  return [at([...fault.path, fault.property]), message];
}
