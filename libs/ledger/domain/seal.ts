import { canonicalJson } from '#kernel/values/json.js';
import type { Sealable } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';

/**
 * Seal of a ledger entry: SHA-256 over the seal before it and everything that is stored of the entry but its
 * own seal (amount, key, cause, actor, reason, time, schema version, place). A changed, missing or moved
 * entry breaks every seal after it.
 */
export function sealEntry(previousHash: string, entry: Sealable): string {
  const metadata = 'hash' in entry.metadata ? withoutSeal(entry.metadata) : entry.metadata;
  const sealed = { type: entry.type, data: entry.data, metadata, revision: entry.revision.toString() };
  return sha256Hex(`${previousHash}\n${canonicalJson(sealed)}`);
}

function withoutSeal({ hash: _own, ...metadata }: Sealable['metadata']): Sealable['metadata'] {
  return metadata;
}
