import { isJsonObject, type JsonValue } from '#kernel/values/json.js';
import { OneOf, Type, type Static } from '#kernel/values/schema.js';
import { errorsOf, type SchemaFault } from '#kernel/values/schema-faults.js';
import { unfit } from '#ops/support/closed-schema.js';
import { jsonLine } from '#ops/support/json-line.js';
import { MOST_SUBJECT_CHARACTERS } from '#ledger/domain/paid-subjects.events.js';

/** The lines of an opening file; a member that is null counts as absent. */

const GivenId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Amount = Type.Union([Type.Number(), Type.String()]);
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const closing = Type.Object({
  kind: OneOf('closing'),
  format: Type.Literal(1),
  system: Name,
  closed_at: Type.String(),
  credits: Amount,
  lots: Count,
  paid: Count,
  open_holds: Type.Optional(Count),
  history: Type.Optional(Count),
});
const lot = Type.Object({
  kind: OneOf('lot'),
  id: Name,
  credits: Amount,
  granted_at: Type.Optional(Type.String()),
  expires_at: Type.Optional(Type.String()),
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  promotional: Type.Optional(Type.Boolean()),
});
const paid = Type.Object({
  kind: OneOf('paid'),
  subject: Type.String({ minLength: 1, maxLength: MOST_SUBJECT_CHARACTERS }),
  agent_id: Type.Optional(GivenId),
  signal_setup_id: Type.Optional(GivenId),
});
const paid_month = Type.Object({
  kind: OneOf('paid_month'),
  domain: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
  handle: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  persona_id: GivenId,
  until: Type.String(),
});
const open_hold = Type.Object({
  kind: OneOf('open_hold'),
  id: Name,
  credits: Amount,
  held_at: Type.Optional(Type.String()),
  what: Type.Optional(Name),
});
const history = Type.Object({
  kind: OneOf('history'),
  id: Name,
  at: Type.String(),
  credits: Amount,
  what: Type.Optional(Name),
});

const lines = { closing, lot, paid, paid_month, open_hold, history };
type Lines = typeof lines;
type Kind = keyof Lines;
/** A line of one kind. */
export type LineOf<K extends Kind> = Static<Lines[K]>;
export type OpeningLine = { [K in Kind]: LineOf<K> }[Kind];

const KINDS = Object.keys(lines);

/** A line, or its faults by member; null for a blank line. */
export type ReadOpeningLine =
  { readonly line: OpeningLine } | { readonly faults: ReadonlyMap<string, readonly string[]> } | null;

/** Reads one line. The first line may begin with a byte order mark. */
export function readLine(bytes: Uint8Array): ReadOpeningLine {
  let value: JsonValue | undefined;
  try {
    value = jsonLine(bytes);
  } catch {
    return faulty('', 'is not valid JSON in UTF-8');
  }
  if (value === undefined) return null;
  if (!isJsonObject(value)) return faulty('', 'is not a JSON object');
  const { kind } = value;
  if (typeof kind !== 'string' || !isKind(kind)) return faulty('kind', `must be one of ${KINDS.join(', ')}`);
  if (isLine(kind, value)) return { line: value };
  return { faults: errorsOf(unfit(lines[kind], value), (fault) => describe(kind, fault)) };
}

const isLine = (kind: Kind, value: object): value is OpeningLine => unfit(lines[kind], value).length === 0;

const isKind = (kind: string): kind is Kind => Object.hasOwn(lines, kind);

const faulty = (member: string, message: string): ReadOpeningLine => ({
  faults: new Map([[member, [message]]]),
});

function describe(kind: Kind, fault: SchemaFault): readonly [member: string, message: string] {
  if (fault.kind === 'invalid') return [fault.path.join('.'), fault.message];
  const member = [...fault.path, fault.property].join('.');
  if (fault.kind === 'missing') return [member, 'is required'];
  const members = Object.keys(lines[kind].properties).join(', ');
  return [member, `is not a member of a line of kind ${kind}: ${members}`];
}
