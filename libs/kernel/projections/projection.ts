import type { Recorded } from '../events/event.js';
import type { JsonValue } from '../values/json.js';
import type { ViewOf } from '../ports/read-store.port.js';

/** Folds an event into the document with this key. */
export type Fold<Document, Data> = (
  document: Document | null,
  event: Recorded<Data>,
  key: string,
) => Document | null;

/** Fields of a document whose values are all of this type. */
type FieldOf<Document, Value> = {
  [Field in keyof Document & string]-?: Document[Field] extends Value | null | undefined ? Field : never;
}[keyof Document & string];

/** Fields of a document that can be indexed: those that hold scalars. */
type IndexField<Document> = FieldOf<Document, string | number | boolean>;

/**
 * A read model as data. `on` is the subscription: one pure fold per event type, from the document and the event; null
 * means no document, or its deletion. `key` returns the keys of the documents that an event changes (none, one or
 * several). An unknown field in `indexes` or an unknown type in `on` does not compile.
 */
export type ProjectionSpec<Document, Payloads, Index extends string> = {
  readonly name: string;
  /** Increased with every change of the documents; a new version is rebuilt beside the live one. */
  readonly version: number;
  readonly indexes: { readonly [Name in Index]: readonly IndexField<Document>[] };
  /** By index, a field: the index leaves out documents in which it is null. */
  readonly onlyWith?: { readonly [Name in NoInfer<Index>]?: IndexField<Document> };
  /** Stored in a compact form (`ViewShape`), for views of many documents. */
  readonly compact?: true;
  /** Indexed fields that hold instants (`ViewShape`), for views of many documents. */
  readonly instants?: readonly FieldOf<Document, string>[];
  /** True for to-do models and models that decide duplicates: the work of a parked workspace stops. */
  readonly critical?: boolean;
  /**
   * True if events of several workspaces, or events with and without a workspace, change one document. Workers that share
   * projecting then leave the whole read model to one of them.
   */
  readonly acrossWorkspaces?: true;
  readonly key: (event: AnyOf<Payloads>) => string | readonly string[] | null;
  readonly on: { readonly [Type in keyof Payloads]?: Fold<Document, Payloads[Type]> };
};

type AnyOf<Payloads> = {
  [Type in keyof Payloads & string]: Recorded<Payloads[Type]> & { readonly type: Type };
}[keyof Payloads & string];

/**
 * A projection as the engine runs it and as queries name it. The payload types are erased, so that a registry can list
 * all projections; `keysOf` and `foldInto` run them.
 */
export type Projection<Document = unknown> = ViewOf<Document> & {
  readonly critical: boolean;
  readonly acrossWorkspaces: boolean;
  readonly key: (event: Recorded<never>) => string | readonly string[] | null;
  readonly on: {
    readonly [type: string]: (document: never, event: Recorded<never>, key: string) => Document | null;
  };
};

/**
 * Declares a projection: `projection<DetectionDocument, RunEvents>()({ name, version, indexes, key, on })`.
 * The first call sets the types, the second one infers the rest.
 */
export function projection<Document, Payloads>() {
  return <Index extends string>(spec: ProjectionSpec<Document, Payloads, Index>): Projection<Document> => ({
    name: spec.name,
    version: spec.version,
    indexes: spec.indexes,
    ...(spec.onlyWith === undefined ? {} : { onlyWith: spec.onlyWith as Readonly<Record<string, string>> }),
    ...(spec.compact === undefined ? {} : { compact: spec.compact }),
    ...(spec.instants === undefined ? {} : { instants: spec.instants }),
    critical: spec.critical ?? false,
    acrossWorkspaces: spec.acrossWorkspaces ?? false,
    key: (event) => spec.key(event as unknown as AnyOf<Payloads>),
    on: spec.on as Projection<Document>['on'],
  });
}

const NO_KEYS: readonly string[] = [];

/**
 * Keys of the documents that an event touches. The event's payload is trusted to be what the vocabulary of its
 * type declares: it was checked when it was written and upcast when it was read. Throws what `key` throws.
 */
export function keysOf(projection: Projection, event: Recorded<unknown>): readonly string[] {
  const keys = projection.key(event as Recorded<never>);
  if (keys === null) return NO_KEYS;
  return typeof keys === 'string' ? [keys] : keys.length > 1 ? [...new Set(keys)] : keys;
}

/** Folds an event into one document; null is no document, before and after. Throws if the fold throws. */
export function foldInto(
  projection: Projection,
  document: JsonValue | null,
  event: Recorded<unknown>,
  key: string,
): JsonValue | null {
  const fold = projection.on[event.type];
  if (fold === undefined) throw new Error(`${projection.name} does not handle ${event.type}`);
  return fold(document as never, event as Recorded<never>, key) as JsonValue | null;
}
