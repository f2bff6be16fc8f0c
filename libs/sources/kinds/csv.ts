import { parseDomain, parseHandle } from '#kernel/values/network-identifiers.js';
import { HOUR_MS } from '#kernel/values/durations.js';
import { MalformedAnswer } from '../answer-fields.js';
import { csvMapping, type CsvMapping } from '../csv-mapping.js';
import { csvLine, type Cell } from '../csv-row.js';
import { editionOf, rowsOf, type Row } from '../csv-rows.js';
import { firstSights } from '../first-sights.js';
import { itemRef } from '../item-ref.js';
import { pieces, type Piece } from '../pieces.js';
import type { ParseOf, ReadWith, SeenLine, SourceKind, SourceReading } from '../source-kind.js';
import { readingOf } from '../source-reading.js';

/** The pause between two looks for a changed file. */
const PAUSE_MS = HOUR_MS;

/** A file of companies, people or posts with a mapping of its columns: an export of a CRM. */
export const csv: SourceKind = {
  name: 'csv',
  gives: 'records',
  terms: {
    url: 'docs/sources.md#a-file-of-your-own',
    verdict:
      'your own data: you and the people whom the data is about decide whether it may be used. All workspaces share what it shows',
    readOn: null,
    paceMs: 0,
  },
  // Files are read one after the other.
  hostOf: () => 'csv',
  pauseMs: PAUSE_MS,
  isReadAtUrl: false,
  whereRead: () => null,
  isFile: true,
  boardAt: () => null,
  boardNamed: () => null,
  parse() {
    throw new MalformedAnswer('is a file, and no answer');
  },
  read: readFile,
};

async function readFile(of: ParseOf, by: ReadWith): Promise<SourceReading> {
  if (of.mapping === null) throw new MalformedAnswer('has no mapping');
  const mapping = csvMapping(of.mapping);
  const found = await editionOf(of.url);
  if (found === null) return { outcome: 'failed', why: `there is no file at ${of.url}`, notBeforeMs: 0 };
  if (by.validators?.etag === found.edition) return { outcome: 'unchanged', notBeforeMs: 0, movedTo: null };
  const sentAtMs = by.nowMs();
  const validators = { etag: found.edition, lastModified: null };
  const lines = pieces(linesOf(of, by, mapping, found.bytes, sentAtMs));
  return readingOf({ sentAtMs, validators, notBeforeMs: 0 }, { lines, refs: [], items: null });
}

async function* linesOf(
  of: ParseOf,
  by: ReadWith,
  mapping: CsvMapping,
  bytes: number,
  sentAtMs: number,
): AsyncGenerator<Piece<SeenLine>> {
  const { boardId, redactsContacts } = of;
  // With several rows of one id, each reading would show two changes of one person, and a false job change would be charged.
  const isFirst = firstSights();
  for await (const rows of rowsOf(of.url, mapping, (done) => by.onBytes(done, bytes))) {
    by.signal.throwIfAborted();
    const cells = rows.map((row) => cellsOf(row, mapping));
    const refs = await namedRefs(cells, by);
    const lines = rows.flatMap((row, index) => {
      const id = row[mapping.id.trim()]?.trim() ?? '';
      const cell = cells[index] ?? NO_CELLS;
      const ref = itemRef(csv.name, boardId, id);
      const isUsed = id !== '' && isFirst(id);
      const line = isUsed ? csvLine(mapping.kind, { ref, redactsContacts, cell, refs }) : null;
      return line === null ? [] : [{ line, sentAtMs }];
    });
    yield { items: lines, skipped: rows.length - lines.length };
  }
}

const NO_CELLS: Cell = () => null;

function cellsOf(row: Row, { columns }: CsvMapping): Cell {
  return (member) => {
    const column = columns.get(member);
    const text = column === undefined ? '' : (row[column.trim()]?.trim() ?? '');
    return text === '' ? null : text;
  };
}

/** Looks up all names in the rows at once. */
async function namedRefs(cells: readonly Cell[], { refsOf }: ReadWith) {
  const named = (members: readonly string[]): readonly string[] =>
    cells.flatMap((cell) => members.flatMap((member) => cell(member) ?? []));
  const domains = named(['company_domain', 'author_domain']).flatMap(
    (text) => parseDomain(text)?.domain ?? [],
  );
  const handles = named(['author_handle']).flatMap((text) => parseHandle(text)?.handle ?? []);
  const found = await refsOf({ domains: [...new Set(domains)], handles: [...new Set(handles)] });
  return {
    ofDomain: (text: string) => found.domains.get(parseDomain(text)?.domain ?? '') ?? null,
    ofHandle: (text: string) => found.handles.get(parseHandle(text)?.handle ?? '') ?? null,
  };
}
