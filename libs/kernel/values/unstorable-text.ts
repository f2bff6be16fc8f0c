import { below, MOST_FAULTS, note, ofEntry, type Faults } from './faults.js';

// with the u flag \p{Cs} matches only surrogates without their partner
const UNSTORABLE = /[\0\p{Cs}]/u;

/** The fault of a text that `hasUnstorableText`. */
export const UNSTORABLE_TEXT = 'must not contain NUL characters or lone surrogates';

/** True for text that a store may refuse or change: NUL characters, lone surrogates. */
export function hasUnstorableText(text: string): boolean {
  return UNSTORABLE.test(text);
}

/**
 * Adds a fault for text that no store can keep unchanged, at any depth of a JSON value, by dotted path. A list of texts is
 * one field (OP-03), so the message names the entry.
 */
export function collectUnstorableText(value: unknown, path: string, faults: Faults): void {
  if (faults.size >= MOST_FAULTS) return;
  if (typeof value === 'string') {
    if (hasUnstorableText(value)) note(faults, path, UNSTORABLE_TEXT);
  } else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      if ((faults.get(path)?.length ?? 0) >= MOST_FAULTS) return;
      if (typeof entry !== 'string') collectUnstorableText(entry, below(path, index), faults);
      else if (hasUnstorableText(entry)) note(faults, path, ofEntry(index, UNSTORABLE_TEXT));
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (hasUnstorableText(key)) note(faults, path, UNSTORABLE_TEXT);
      else collectUnstorableText(member, below(path, key), faults);
    }
  }
}
