import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { EventMetadata, NewEvent, StoredEvent } from '../ports/event-store.port.js';
import { EncodedEvent } from './encoded-event.js';
import type { EventDeclaration, Recorded, Vocabulary } from './event.js';
import type { JsonObject } from '../values/json.js';
import { ownSchemas } from '../values/schema-guard.js';

const validators = new WeakMap<EventDeclaration, ValidateFunction>();

/** A decided event does not match its declaration: a programming error, never the caller's. */
class InvalidEvent extends Error {
  constructor(type: string, reason: string) {
    super(`event ${type} does not match its declaration: ${reason}`);
    this.name = 'InvalidEvent';
  }
}

/** A stored event cannot be read by this version: unknown type, newer schema version or damaged payload. */
export class UnreadableEvent extends Error {
  constructor(
    readonly stored: StoredEvent,
    reason: string,
  ) {
    super(`event ${stored.type} at ${stored.stream}@${stored.revision} cannot be read: ${reason}`);
    this.name = 'UnreadableEvent';
  }
}

function declarationOf(vocabulary: Vocabulary, type: string): EventDeclaration | undefined {
  return Object.hasOwn(vocabulary, type) ? vocabulary[type] : undefined;
}

/** Checks a decided event against its declaration and adds the schema version. Throws `InvalidEvent`. */
export function encodeEvent(
  vocabulary: Vocabulary,
  event: { readonly type: string; readonly data: JsonObject },
  id: string,
  metadata: EventMetadata,
): NewEvent {
  const declaration = declarationOf(vocabulary, event.type);
  if (declaration === undefined) throw new InvalidEvent(event.type, 'it is not in the vocabulary');
  let validate = validators.get(declaration);
  if (validate === undefined) {
    validate = ownSchemas.compile(declaration.schema);
    validators.set(declaration, validate);
  }
  if (!validate(event.data)) throw new InvalidEvent(event.type, ownSchemas.errorsText(validate.errors));
  const schemaVersion = String(declaration.schemaVersion);
  return new EncodedEvent(id, event.type, event.data, { ...metadata, schemaVersion });
}

/**
 * Brings a stored event to the newest version of its declaration. Reading is tolerant: an old payload is not
 * checked against today's schema. Throws `UnreadableEvent`; null for a type that is not in the vocabulary.
 */
export function decodeEvent(vocabulary: Vocabulary, stored: StoredEvent): Recorded<JsonObject> | null {
  const declaration = declarationOf(vocabulary, stored.type);
  if (declaration === undefined) return null;
  // A store with other writers may return any value.
  const isObject = typeof stored.data === 'object' && stored.data !== null && !Array.isArray(stored.data);
  if (!isObject) throw new UnreadableEvent(stored, 'its payload is not a JSON object');
  const version = Number(stored.metadata['schemaVersion'] ?? '1');
  if (version === declaration.schemaVersion) return stored;
  if (!(version >= 1 && version < declaration.schemaVersion)) {
    throw new UnreadableEvent(stored, `schema version ${version} is newer than ${declaration.schemaVersion}`);
  }
  const data = declaration.upcasters.slice(version - 1).reduce((older, upcast) => upcast(older), stored.data);
  return { ...stored, data };
}

/** Merges several vocabularies; two of them may declare a type only with the same declaration. */
export function mergeVocabularies(vocabularies: readonly Vocabulary[]): Vocabulary {
  const merged = new Map<string, EventDeclaration>();
  for (const [type, declaration] of vocabularies.flatMap((vocabulary) => Object.entries(vocabulary))) {
    const known = merged.get(type);
    if (known !== undefined && known !== declaration) throw new Error(`event type ${type} is declared twice`);
    merged.set(type, declaration);
  }
  return Object.fromEntries(merged);
}
