import { companyReads } from './company-reads.js';
import { interactionReads } from './interaction-reads.js';
import type { KeyStore } from './key-reads.js';
import { moveReads } from './move-reads.js';
import type { NetworkSource } from './network-source.port.js';
import { textReads, type TextStore } from './text-source.js';

/** NetworkSource over the reads of a store. */
export function observedNetwork<Scope>(texts: TextStore<Scope>, keys: KeyStore): NetworkSource {
  return { ...textReads(texts, keys), ...interactionReads(keys), ...moveReads(keys), ...companyReads(keys) };
}
