import { fromStored, MICROS_PER_CREDIT, toStored, type Credits } from '#kernel/values/credits.js';
import { JournaledMap } from '#kernel/commands/journaled-map.js';
import type { CreditAccount } from './account-state.js';
import { available } from './books.js';
import type { CreditEvent, CreditPayloads } from './credits.events.js';

/**
 * `armed`: a crossing is notified. `told`: it was notified and stays silent until it is armed. `raised`: it was
 * notified and credits were added since; the next forecast decides whether it is armed. Snapshots contain these names.
 */
type MarkState = 'armed' | 'told' | 'raised';
type Mark =
  | { readonly kind: 'credits'; readonly threshold: Credits; readonly state: MarkState }
  | { readonly kind: 'days'; readonly days: number; readonly state: MarkState }
  | { readonly kind: 'run out'; readonly state: MarkState };

/** The thresholds of a workspace's balance, and which of them were notified (LOW-01). */
export type Watch = {
  /** The thresholds by name; empty before they are set for the first time. */
  readonly marks: JournaledMap<string, Mark>;
  /** The lots whose expiry was notified. */
  readonly expiring: JournaledMap<number, true>;
};

type StoredMark = Exclude<Mark, { kind: 'credits' }> | (Omit<CreditsMark, 'threshold'> & StoredThreshold);
type CreditsMark = Extract<Mark, { kind: 'credits' }>;
type StoredThreshold = { readonly threshold: string };
/** A watch as JSON. */
export type StoredWatch = { readonly marks: readonly StoredMark[]; readonly expiring: readonly number[] };

type Watched = Pick<CreditAccount, 'watch' | 'books'>;

export const emptyWatch = (): Watch => ({ marks: new JournaledMap(), expiring: new JournaledMap() });

const RUN_OUT = 'run out';
const nameOfCredits = (threshold: string): string => `credits ${threshold}`;
const nameOfDays = (days: number): string => `days ${days}`;

/** Whether a balance is above the threshold. */
function isAbove(mark: Exclude<Mark, { kind: 'days' }>, balance: Credits): boolean {
  return mark.kind === 'credits' ? balance > mark.threshold : balance >= MICROS_PER_CREDIT;
}

/**
 * Replaces the thresholds. A threshold that existed before keeps its state. A new one in credits is armed if the
 * balance is above it, because otherwise nothing crosses it; a new one in days is armed.
 */
export function setMarks(
  { watch: { marks }, books }: Watched,
  { credits, days }: CreditPayloads['ThresholdsSet'],
): void {
  const balance = available(books);
  const before = new Map(marks);
  const fresh = (mark: Exclude<Mark, { kind: 'days' }>): Mark => ({
    ...mark,
    state: isAbove(mark, balance) ? 'armed' : 'told',
  });
  marks.clear();
  marks.set(RUN_OUT, before.get(RUN_OUT) ?? fresh({ kind: 'run out', state: 'armed' }));
  for (const each of credits) {
    const name = nameOfCredits(each);
    const mark = { kind: 'credits', threshold: fromStored(each), state: 'armed' } as const;
    marks.set(name, before.get(name) ?? fresh(mark));
  }
  for (const each of days) {
    const name = nameOfDays(each);
    marks.set(name, before.get(name) ?? { kind: 'days', days: each, state: 'armed' });
  }
}

/**
 * After credits were added, arms the thresholds in credits that the balance is above; for those in days the next
 * forecast decides.
 */
export function armRaised({ watch: { marks }, books }: Watched): void {
  if (marks.size === 0) return;
  const balance = available(books);
  for (const [name, mark] of marks) {
    if (mark.state === 'armed') continue;
    if (mark.kind === 'days') marks.set(name, { ...mark, state: 'raised' });
    else if (isAbove(mark, balance)) marks.set(name, { ...mark, state: 'armed' });
  }
}

/** Marks a threshold as notified: one in credits, one in days, or, if neither is given, the end of the balance. */
export function markNotified(
  { marks }: Watch,
  { credits, days }: Pick<CreditPayloads['CreditsLow'], 'credits' | 'days'>,
): void {
  setState(marks, nameOf(credits, days), 'told');
}

/** Marks a threshold in days as armed again. */
export const markArmed = ({ marks }: Watch, days: number): void => setState(marks, nameOfDays(days), 'armed');

function nameOf(credits: string | undefined, days: number | undefined): string {
  if (credits !== undefined) return nameOfCredits(credits);
  return days === undefined ? RUN_OUT : nameOfDays(days);
}

function setState(marks: Watch['marks'], name: string, state: MarkState): void {
  const mark = marks.get(name);
  if (mark !== undefined) marks.set(name, { ...mark, state });
}

/**
 * The entries that must follow the newest entry: armed thresholds that the balance is no longer above, highest first.
 */
export function followingLow({ watch: { marks }, books }: Watched): readonly CreditEvent[] {
  // The balance cannot end if a partner pays or if the workspace is exempt.
  if (marks.size === 0 || books.billing?.mode !== 'self') return NOTHING;
  const free = available(books);
  const crossed = [...marks.values()].filter(
    (mark): mark is Exclude<Mark, { kind: 'days' }> =>
      mark.kind !== 'days' && mark.state === 'armed' && !isAbove(mark, free),
  );
  const balance = toStored(free);
  return crossed
    .sort((left, right) => Number(thresholdOf(right) - thresholdOf(left)))
    .map((mark) =>
      mark.kind === 'credits'
        ? { type: 'CreditsLow', data: { credits: toStored(mark.threshold), balance } }
        : { type: 'CreditsRunOut', data: { balance } },
    );
}

const NOTHING: readonly CreditEvent[] = [];

/** The end of the balance is notified last. */
const thresholdOf = (mark: Exclude<Mark, { kind: 'days' }>): Credits =>
  mark.kind === 'credits' ? mark.threshold : -1n;

/** Null if there is nothing to store. Closed lots are removed. */
export function toStoredWatch(
  { marks, expiring }: Watch,
  lots: ReadonlyMap<number, unknown>,
): StoredWatch | null {
  if (marks.size + expiring.size === 0) return null;
  return {
    marks: [...marks.values()].map((mark) =>
      mark.kind === 'credits' ? { ...mark, threshold: toStored(mark.threshold) } : mark,
    ),
    expiring: [...expiring.keys()].filter((lot) => lots.has(lot)),
  };
}

/** Restores a stored watch into an empty one. */
export function restoreWatch({ marks, expiring }: Watch, stored: StoredWatch): void {
  for (const mark of stored.marks) {
    if (mark.kind === 'credits')
      marks.set(nameOfCredits(mark.threshold), { ...mark, threshold: fromStored(mark.threshold) });
    else marks.set(mark.kind === 'days' ? nameOfDays(mark.days) : RUN_OUT, mark);
  }
  for (const lot of stored.expiring) expiring.set(lot, true);
}
