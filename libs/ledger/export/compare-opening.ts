import { canonicalJson, isJsonObject, type JsonValue } from '#kernel/values/json.js';
import type { LedgerVerification } from '#ledger/answers/verification.answer.js';
import type { StoredSums } from '#ledger/history/ledger-sums.js';

/**
 * Compares the sums that an export states for the entries before its first one with those of the ledger. `expected`
 * is computed, `found` is stated.
 */
export function compareOpening(stated: StoredSums, computed: StoredSums): LedgerVerification['differences'] {
  // No line of an export depends on who paid the months.
  const [{ ownMonths: _stated, ...found }, { ownMonths: _computed, ...expected }] = [stated, computed];
  const now = new Map(Object.entries(expected));
  const then = new Map(Object.entries(found));
  const revision = stated.revision === null ? null : Number(stated.revision);
  return [...new Set([...now.keys(), ...then.keys()])].flatMap((name) => {
    const [one, other] = [textOf(now.get(name)), textOf(then.get(name))];
    return one === other
      ? []
      : [{ revision, what: `${name} before the first entry`, expected: one, found: other }];
  });
}

const textOf = (value: JsonValue | undefined): string | null =>
  value === undefined ? null : canonicalJson(inOrder(value));

/** The same value with its lists in one order: sums have none. */
function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value.map(inOrder);
    return items.toSorted((left, right) => (canonicalJson(left) < canonicalJson(right) ? -1 : 1));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, member === undefined ? undefined : inOrder(member)]),
  );
}
