import { canonicalJson } from '#kernel/values/json.js';
import type { Sealable } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';

/**
 * The seal of a ledger entry: SHA-256 over the previous seal and every stored member of the entry except its own seal
 * (amount, key, cause, actor, reason, time, schema version, position). A changed, missing or moved entry breaks every
 * later seal.
 */
export function sealEntry(previousHash: string, entry: Sealable): string {
  const metadata = 'hash' in entry.metadata ? withoutSeal(entry.metadata) : entry.metadata;
  const sealed = { type: entry.type, data: entry.data, metadata, revision: entry.revision.toString() };
  return sha256Hex(`${previousHash}\n${canonicalJson(sealed)}`);
}

function withoutSeal({ hash: _own, ...metadata }: Sealable['metadata']): Sealable['metadata'] {
  return metadata;
}
