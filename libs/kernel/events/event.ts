import type { Static, TObject } from '@sinclair/typebox';
import type { EventMetadata } from '../ports/event-store.port.js';
import type { JsonObject } from '../values/json.js';

/** Turns the payload of one schema version into the payload of the next. */
export type Upcaster = (data: JsonObject) => JsonObject;

/**
 * One event type: its payload schema (a TypeBox schema, from which the type is derived), its version, and one upcaster
 * per earlier version (`upcasters[0]` converts version 1 to 2).
 */
export type EventDeclaration<Schema extends TObject = TObject> = {
  readonly schema: Schema;
  readonly schemaVersion: number;
  readonly upcasters: readonly Upcaster[];
};

/** Declares an event's payload. A changed shape needs an upcaster here and keeps the old golden file. */
export function event<Schema extends TObject>(
  schema: Schema,
  upcasters: readonly Upcaster[] = [],
): EventDeclaration<Schema> {
  return { schema, schemaVersion: upcasters.length + 1, upcasters };
}

/** The event types of one aggregate, by name. */
export type Vocabulary = { readonly [type: string]: EventDeclaration };

/** An immutable payload: readonly at every depth; free JSON members stay as they are. */
export type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? JsonObject extends T
      ? T
      : { readonly [Member in keyof T]: Immutable<T[Member]> }
    : T;

/** Payload types of a vocabulary by event type: `type RunEvents = PayloadsOf<typeof runEvents>`. */
export type PayloadsOf<V extends Vocabulary> = {
  readonly [Type in keyof V & string]: Immutable<Static<V[Type]['schema']>>;
};

/** A decided event: what a decision returns. */
export type EventOf<Payloads> = {
  [Type in keyof Payloads & string]: { readonly type: Type; readonly data: Payloads[Type] };
}[keyof Payloads & string];

/** An event as folds see it: payload of the newest version, metadata and position. */
export type Recorded<Data> = {
  readonly id: string;
  readonly type: string;
  readonly data: Data;
  readonly metadata: EventMetadata;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: string;
};

/** `Given`, if it has all event types of `Wanted`; otherwise a compile error. */
export type CompletePayloads<Wanted, Given extends Wanted> = Given;
