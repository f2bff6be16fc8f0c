import { sha256Hex } from '../values/hash.js';
import { isJsonObject, canonicalJson, type JsonObject } from '../values/json.js';

/** A state as it was after the event `headId` at `revision`, in the form its aggregate gave it. */
export type Snapshot = {
  readonly revision: bigint;
  readonly stateVersion: number;
  readonly headId: string;
  /** The seal of that event; '' if the aggregate has no seals. */
  readonly headHash: string;
  readonly lastRecordedAt: string;
  readonly state: JsonObject;
};

/** The stored form, with a checksum over everything in it. */
export function storedSnapshot(snapshot: Snapshot): JsonObject {
  const content = { ...snapshot, revision: snapshot.revision.toString() };
  return { ...content, checksum: checksumOf(content) };
}

/** Reads a stored snapshot of this version of the state; null for anything else: another version, or damaged. */
export function readSnapshot(stored: JsonObject, stateVersion: number): Snapshot | null {
  const { checksum, ...content } = stored;
  if (content['stateVersion'] !== stateVersion || checksum !== checksumOf(content)) return null;
  const { revision, headId, headHash, lastRecordedAt, state } = content;
  if (
    typeof revision !== 'string' ||
    typeof headId !== 'string' ||
    typeof headHash !== 'string' ||
    typeof lastRecordedAt !== 'string' ||
    !isJsonObject(state)
  ) {
    return null;
  }
  return { revision: BigInt(revision), stateVersion, headId, headHash, lastRecordedAt, state };
}

function checksumOf(content: JsonObject): string {
  return sha256Hex(canonicalJson(content));
}
