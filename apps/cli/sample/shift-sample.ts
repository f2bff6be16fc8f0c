import { DAY_MS } from '#kernel/values/durations.js';

/** The shipped observations: some companies and people and 150 days of their posts. Not compiled into dist/. */
export const SAMPLE_FILE = new URL('../../../../apps/cli/sample/network.ndjson', import.meta.url);

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MONTH = /^\d{4}-\d{2}$/;

/**
 * The sample as if it was observed recently: moves every date of its lines by the same number of whole days, so that
 * the newest is within the day before `now`. The same lines on the same day give the same text.
 */
export function shiftSample(lines: readonly string[], now: Date): readonly string[] {
  const observations = lines.filter((line) => line.trim() !== '').map((line): unknown => JSON.parse(line));
  const newestMs = observations.map(newestInstantMs).reduce((left, right) => Math.max(left, right), 0);
  const days = Math.floor((now.getTime() - newestMs) / DAY_MS);
  return observations.map((observation) => JSON.stringify(shifted(observation, days)));
}

function newestInstantMs(value: unknown): number {
  if (typeof value === 'string') return INSTANT.test(value) ? Date.parse(value) : 0;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value)
    .map(newestInstantMs)
    .reduce((left, right) => Math.max(left, right), 0);
}

function shifted(value: unknown, days: number): unknown {
  if (typeof value === 'string') return shiftedText(value, days);
  if (Array.isArray(value)) return value.map((member) => shifted(member, days));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shifted(member, days)]));
}

function shiftedText(text: string, days: number): string {
  if (!INSTANT.test(text) && !DAY.test(text) && !MONTH.test(text)) return text;
  const moved = new Date(Date.parse(text) + days * DAY_MS).toISOString();
  // toISOString has milliseconds, the sample has none.
  return INSTANT.test(text) ? moved.replace('.000Z', 'Z') : moved.slice(0, text.length);
}
