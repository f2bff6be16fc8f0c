import { guardOf } from '#kernel/values/schema-guard.js';
import type { JsonValue } from '#kernel/values/json.js';
import { Id, Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { endlessText } from '#kernel/values/ndjson-lines.js';
import type { PrintedStatement } from '#ledger/history/still-standing.js';
import type { PrintedFigures } from './compare-printed.js';

/** A statement that was read back: its place in the ledger, its period and all of its figures. */
export type ReadStatement = PrintedStatement & {
  readonly from: string | null;
  readonly to: string | null;
  readonly figures: PrintedFigures;
};

/** The members that identify a statement: the place and kind of its rows, its period, and its end in the ledger. */
const isStatement = guardOf(
  Type.Object({
    workspace_id: Id,
    from: Nullable(Timestamp),
    to: Nullable(Timestamp),
    rows: Type.Array(
      Type.Object({ revision: Type.Integer({ minimum: 0 }), movement_id: Id, kind: Type.String() }),
    ),
    revision: Nullable(Type.Integer({ minimum: 0 })),
    hash: Nullable(Type.String()),
  }),
);

/** The kinds of rows of a charge; the other movements are one row each. */
const OF_CHARGES: ReadonlySet<string> = new Set(['hold', 'capture', 'release']);

/** Larger than any statement, which is one JSON object of at most some thousand rows. */
const MAX_STATEMENT_BYTES = 64 * 1024 * 1024;

/** The beginning of a statement, the only kind of file that is no export. */
const STATEMENT = /^\s*\{\s*"workspace_id"/;

/**
 * Checks the beginning of a file. A statement is one JSON object and is read whole; an export is returned as a
 * stream.
 */
export async function readPrinted(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly statement: ReadStatement | null; readonly whole: AsyncIterable<Uint8Array> }> {
  const reading = chunks[Symbol.asyncIterator]();
  const first = await reading.next();
  const rest = after(first, reading);
  if (first.done === true || !STATEMENT.test(Buffer.from(first.value).toString())) {
    return { statement: null, whole: rest };
  }
  const parts: Uint8Array[] = [];
  let held = 0;
  for await (const part of rest) {
    held += part.length;
    if (held > MAX_STATEMENT_BYTES) throw endlessText({ detail: 'A printed statement ends within 64 MiB.' });
    parts.push(part);
  }
  return { statement: statementOf(Buffer.concat(parts).toString()), whole: pieces(parts) };
}

/** Null if it is no statement; it is then verified, and refused, as an export. */
function statementOf(text: string): ReadStatement | null {
  try {
    const value: JsonValue = JSON.parse(text);
    if (!isStatement(value)) return null;
    const { workspace_id: workspaceId, from, to, rows, revision, hash } = value;
    const printed = rows.map((row) => ({ revision: row.revision, movementId: row.movement_id }));
    const charges = new Set(rows.filter(({ kind }) => OF_CHARGES.has(kind)).map((row) => row.movement_id))
      .size;
    return { workspaceId, from, to, rows: printed, charges, revision, hash, figures: value };
  } catch {
    return null;
  }
}

async function* after(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
}

async function* pieces(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}
