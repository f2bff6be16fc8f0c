import { AnyJson, Nullable, Type } from '#kernel/values/schema.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { MalformedObservation } from '#network/read-observation.js';
import { MalformedAnswer } from '../answer-fields.js';
import type { Line, SeenLine, SourceParts } from '../source-kind.js';
import type { Pieces } from '../pieces.js';
import { kindOf } from '../source-kinds.js';
import { findSubject } from '../source-subject.js';
import { invalidInput } from '#ops/support/amounts.js';
import { fieldError } from '#kernel/values/refusal.js';
import { madeCompanyRef } from '#network/resolution.js';
import { observationIn } from '../sighting-of.js';
import { newSource, sourceInput, type NewSource } from './new-source.js';
import { oneSource, SourceId } from './one-source.js';
import { requireContact } from './source-contact.js';

const MOST_SHOWN = 5;
const Count = Type.Integer({ minimum: 0 });

export const sourceTest = operatorCommand({
  name: 'source.test',
  summary: 'Read a source, or an address of one, without storing anything: shows items and faults',
  input: Type.Object({
    source_id: Type.Optional(described('id of a source; or url and the options of source add', SourceId)),
    ...sourceInput,
    url: Type.Optional(sourceInput.url),
  }),
  output: Type.Object({
    ok: Type.Boolean(),
    kind: Type.String(),
    board: Type.String(),
    belongs_to: Nullable(Type.String()),
    items: Count,
    skipped: Count,
    without_date: Count,
    wrong: Type.Array(Type.String()),
    first: Type.Array(AnyJson),
  }),
  async run(host, { source_id: sourceId, url, ...input }) {
    if ((sourceId === undefined) === (url === undefined))
      throw invalidInput({ errors: fieldError('url', 'is required where there is no source_id') });
    const source: NewSource & SourceParts =
      sourceId === undefined
        ? (await newSource({ ...input, url: url ?? '' })).source
        : await oneSource(host, sourceId);
    const kind = kindOf(source.kind);
    if (kind === null)
      throw invalidInput({
        errors: fieldError('source_id', `is a ${source.kind}, which this version cannot read`),
      });
    requireContact(host, kind);
    const found = source.subject === null ? { ref: '' } : await findSubject(host.network, source.subject);
    const wrong: string[] = 'unknown' in found ? [found.unknown] : [];
    const ref = 'ref' in found ? found.ref : 'made' in found ? madeCompanyRef(found.made) : '';
    const reading = await host.sources.read(kind, { ...source, subjectRef: ref });
    const about = { kind: source.kind, board: source.boardId, belongs_to: ref === '' ? null : ref };
    if (reading.outcome !== 'read') {
      wrong.push('why' in reading ? reading.why : `answered: ${reading.outcome}`);
      return { ok: false, ...about, items: 0, skipped: 0, without_date: 0, wrong, first: [] };
    }
    const shown = await looked(reading.lines, wrong);
    return {
      ok: wrong.length === 0,
      ...about,
      items: reading.items ?? shown.lines + shown.skipped,
      skipped: shown.skipped,
      without_date: shown.withoutDate,
      wrong,
      first: shown.first,
    };
  },
});

/** Checks all lines in pieces and adds their faults to `wrong`. */
async function looked(lines: Pieces<SeenLine>, wrong: string[]) {
  const first: object[] = [];
  let [count, skipped, withoutDate] = [0, 0, 0];
  try {
    for await (const piece of lines) {
      count += piece.items.length;
      skipped += piece.skipped;
      for (const { line } of piece.items) {
        if (wrong.length < MOST_SHOWN) wrong.push(...faultsOf(line));
        if (first.length < MOST_SHOWN) first.push(shortened(line));
        withoutDate += Number(!hasDate(line));
      }
    }
  } catch (error) {
    if (!(error instanceof MalformedAnswer)) throw error;
    wrong.push(error.message);
  } finally {
    await lines.close();
  }
  return { first, lines: count, skipped, withoutDate };
}

function faultsOf(line: Line): readonly string[] {
  try {
    observationIn(line);
    return [];
  } catch (error) {
    if (error instanceof MalformedObservation) return [`${line.ref}: ${error.message}`];
    throw error;
  }
}

const DATES = ['published_at', 'posted_at', 'occurred_at', 'observed_at'] as const;

/** Whether the line has a date, or its kind needs none. */
function hasDate(line: Line): boolean {
  const dates = DATES.filter((name) => name in line);
  return dates.length === 0 || dates.some((name) => line[name] !== null);
}

const LONGEST_TEXT = 300;

const shortened = (line: Line): object =>
  Object.fromEntries(
    Object.entries(line).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value,
    ]),
  );
