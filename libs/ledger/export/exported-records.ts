import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import { compileJsonSchema, type SchemaCheck } from '#kernel/values/json-schema.js';
import {
  Id,
  JsonMembers,
  Nullable,
  Type,
  type Static,
  type TProperties,
  type TSchema,
} from '#kernel/values/schema.js';
import { CauseSchema, PayerSchema } from '#ledger/domain/credits.events.js';
import { FORMAT } from './json-lines.js';

/** The lines of an export as they are read back; a line with an unknown member is invalid. */

const closedObject = <Members extends TProperties>(members: Members) =>
  Type.Object(members, { additionalProperties: false });
const Integer = Type.Integer({ minimum: 0 });
const Micros = Type.String({ pattern: '^-?\\d{1,30}$' });
const MicrosByName = Type.Record(Type.String(), Micros);
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });

const OpenLot = closedObject({
  id: Id,
  expiresAt: Nullable(Type.String()),
  priority: Integer,
  promotional: Type.Boolean(),
  grantedAt: Type.String(),
  rule: Type.Optional(Id),
  granted: Micros,
  free: Micros,
  held: Micros,
  captured: Micros,
  withdrawn: Micros,
  expired: Micros,
});

const Header = closedObject({
  record: Type.Literal('header'),
  format: Type.Literal(FORMAT),
  workspace_id: Id,
  from: Nullable(Type.String()),
  to: Nullable(Type.String()),
  opening: Type.Number(),
  before: closedObject({
    revision: Nullable(Type.String({ pattern: '^\\d{1,16}$' })),
    hash: Nullable(Hash),
    billing: Nullable(
      Type.Union([
        closedObject({ mode: Type.Literal('self') }),
        closedObject({ mode: Type.Literal('partner'), partnerId: Id }),
        closedObject({ mode: Type.Literal('exempt') }),
      ]),
    ),
    grants: Type.Optional(Micros),
    withLots: Type.Optional(closedObject({ grants: Micros, expired: Micros, open: Type.Array(OpenLot) })),
    withdrawals: Micros,
    adjustments: Micros,
    accounts: Type.Array(closedObject({ payer: PayerSchema, held: Micros, captured: Micros })),
    updatedAt: Nullable(Type.String()),
    spending: closedObject({ product: MicrosByName, cause: MicrosByName, payer: MicrosByName }),
  }),
});
export type HeaderRecord = Static<typeof Header>;

const OpenHold = closedObject({
  record: Type.Literal('open hold'),
  movementId: Id,
  key: Type.String(),
  credits: Micros,
  product: Type.String(),
  payer: PayerSchema,
  cause: CauseSchema,
  heldAt: Type.String(),
  endCarriesAmount: Type.Optional(Type.Literal(true)),
  lots: Type.Optional(
    Type.Array(closedObject({ lot: Id, credits: Micros, expiresAt: Type.Optional(Type.String()) })),
  ),
});
export type OpenHoldRecord = Static<typeof OpenHold>;

const Entry = closedObject({
  record: Type.Literal('entry'),
  revision: Integer,
  type: Type.String(),
  data: JsonMembers,
  metadata: Type.Record(Type.String(), Type.String()),
  balance: Type.Number(),
});
export type EntryRecord = Static<typeof Entry>;

export type ExportRecord = HeaderRecord | OpenHoldRecord | EntryRecord | { readonly record: 'footer' };

const kinds: ReadonlyMap<unknown, (value: unknown) => value is ExportRecord> = new Map(
  Object.entries({
    header: guard(Header),
    'open hold': guard(OpenHold),
    entry: guard(Entry),
    // Checked by comparing its text with the expected footer.
    footer: guard(Type.Object({ record: Type.Literal('footer') })),
  }),
);

function guard(schema: TSchema): (value: unknown) => value is ExportRecord {
  const plain: JsonObject = JSON.parse(JSON.stringify(schema));
  let check: SchemaCheck | null = null;
  return (value): value is ExportRecord => (check ??= compileJsonSchema(plain))(value).length === 0;
}

/** Reads a line of an export; null for an invalid line. */
export function readRecord(text: string): ExportRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The caller reports the invalid line by its number.
    return null;
  }
  if (typeof value !== 'object' || value === null || !('record' in value)) return null;
  const isRecord = kinds.get(value.record);
  return isRecord?.(value) === true ? value : null;
}

/** The entry as a store would return it. Its event id and its global position are not part of a ledger. */
export const storedEntry = (
  workspaceId: number,
  { revision, type, data, metadata }: EntryRecord,
): StoredEvent => ({
  id: '',
  position: '',
  stream: `credits-${workspaceId}`,
  revision: BigInt(revision),
  type,
  data,
  metadata,
});
