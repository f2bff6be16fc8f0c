import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import { spendGroupView, type StatementView } from '#ledger/answers/statement.answer.js';
import type { LedgerVerification } from '#ledger/answers/verification.answer.js';
import { GROUPINGS, spendGroups } from '#ledger/history/spend-groups.js';
import type { StatementRow } from '#ledger/history/statement.js';
import { MAX_DIFFERENCES } from '#ledger/history/verify.js';

/** A statement as it was read from a file. */
export type PrintedFigures = JsonObject & {
  readonly revision: number | null;
  readonly rows: readonly (JsonObject & { readonly revision: number })[];
};

/** The statement of the same period at the same revision, and the seal that the month has now. */
export type ComputedFigures = {
  readonly view: StatementView;
  readonly rows: readonly StatementRow[];
  readonly seal: JsonObject | undefined;
};

type Difference = LedgerVerification['differences'][number];

/** The members that every statement of a period at a revision has in common, however many of its rows it prints. */
const SUMS = ['opening', 'totals', 'closing', 'expired', 'lots'] as const;

/**
 * Compares the figures of a printed statement with the computed ones. Differences of rows come first, in ledger order;
 * `expected` is computed, `found` is printed.
 */
export function compareFigures(printed: PrintedFigures, computed: ComputedFigures): readonly Difference[] {
  const { view, rows, seal } = computed;
  const differences = rowDifferences(printed, view);
  const compare = (what: string, expected: unknown, found: unknown): void => {
    if (isSame(expected, found)) return;
    differences.push(difference(printed.revision, `${what} of the statement`, expected, found));
  };
  for (const name of SUMS) compare(name, view[name], printed[name]);
  if (printed['groups'] !== undefined)
    compare('groups', groupsOf(rows, printed['groups']), printed['groups']);
  // A statement that was printed before its month was closed has no seal.
  if (printed['seal'] !== undefined) compare('seal', seal, printed['seal']);
  return differences.slice(0, MAX_DIFFERENCES);
}

/** A statement with a number of entries prints a part of its rows, without a gap; another one prints all. */
function rowDifferences(printed: PrintedFigures, { rows }: StatementView): Difference[] {
  const isPart = printed['entries'] !== undefined;
  const first = printed.rows[0]?.revision;
  const begin = isPart && first !== undefined ? rows.findIndex(({ revision }) => revision === first) : 0;
  const length = isPart ? printed.rows.length : Math.max(rows.length, printed.rows.length);
  const differences: Difference[] = [];
  for (let index = 0; index < length; index += 1) {
    const [expected, found] = [rows[begin + index], printed.rows[index]];
    if (isSame(expected, found)) continue;
    differences.push(rowDifference(expected, found));
    // Rows after a missing or an added one would all differ.
    if (expected?.revision !== found?.revision) return differences;
  }
  const next = rows[begin + length]?.revision ?? null;
  if (isPart && first !== undefined && !isSame(next, printed['next']))
    differences.push(difference(printed.revision, 'next of the statement', next, printed['next']));
  return differences;
}

/** The first member of a row that differs; the whole row if it is missing, or is another one. */
function rowDifference(
  expected: StatementView['rows'][number] | undefined,
  found: PrintedFigures['rows'][number] | undefined,
): Difference {
  if (expected === undefined || found === undefined || expected.revision !== found.revision)
    return difference(expected?.revision ?? found?.revision ?? null, 'row', expected, found);
  const members = new Map<string, unknown>(Object.entries(expected));
  const name = [...new Set([...members.keys(), ...Object.keys(found)])].find(
    (member) => !isSame(members.get(member), found[member]),
  );
  if (name === undefined) return difference(expected.revision, 'row', expected, found);
  return difference(expected.revision, `${name} of the row`, members.get(name), found[name]);
}

/** Groups by the members that the printed ones have; without a group, nothing was spent. */
function groupsOf(rows: readonly StatementRow[], printed: JsonValue): readonly unknown[] {
  const first = Array.isArray(printed) ? printed[0] : undefined;
  const by = GROUPINGS.filter((name) => isJsonObject(first) && first[name] !== undefined);
  return spendGroups(rows, by.length === 0 ? GROUPINGS : by).map(spendGroupView);
}

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

const difference = (
  revision: number | null,
  what: string,
  expected: unknown,
  found: unknown,
): Difference => ({
  revision,
  what,
  expected: expected === undefined ? null : canonicalJson(expected),
  found: found === undefined ? null : canonicalJson(found),
});
