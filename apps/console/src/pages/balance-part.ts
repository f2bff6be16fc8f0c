import { counted } from '#kernel/values/counted.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { html, type Html } from '#http/page.js';
import { numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { balanceChart, type BalancePoint } from '../charts/balance-chart.js';
import { chartScript, chartStyle } from '../charts/chart-assets.js';
import { foreseenDays } from '../charts/foreseen-days.js';
import type { Visit } from '../visits.js';
import { table } from '../layout.js';

/** The range of a chart, in days; `all` is unlimited. */
export const RANGES = ['90d', '1y', '5y', 'all'] as const;
export type Range = (typeof RANGES)[number];

const DAYS: { readonly [Each in Range]: number } = { '90d': 90, '1y': 365, '5y': 1_826, all: Infinity };
const NAMES: { readonly [Each in Range]: string } = {
  '90d': '90 days',
  '1y': '1 year',
  '5y': '5 years',
  all: 'All',
};
/** A line shows at most a few hundred points, and a table of thousands of rows is unreadable. */
const STEPS: { readonly [Each in Range]: 'day' | 'week' | 'month' } = {
  '90d': 'day',
  '1y': 'day',
  '5y': 'week',
  all: 'month',
};
const STEP_NAMES = {
  day: 'Balance by day',
  week: 'By week: the balance after the last day of a week that changed it, and the sums of the week',
  month: 'By month: the balance after the last day of a month that changed it, and the sums of the month',
} as const;
/** The sums of a day. All but the last change the balance: spent credits left it when they were held. */
const SUMS = [
  ['granted', 'Granted'],
  ['taken', 'Taken back'],
  ['expired', 'Expired'],
  ['held', 'Held'],
  ['released', 'Released'],
  ['captured', 'Spent'],
] as const;

/**
 * A point of the past. `sums` are those of its day; the opening has none, because the day after it, which may have moved
 * credits, is another point.
 */
type PastPoint = BalancePoint & { readonly name?: string; readonly sums?: AnswerPart };

/** The balance of a workspace over time, from sums by day, and its forecast (CON-04). */
export async function balancePart(
  visit: Visit,
  id: number,
  range: Range,
  link: (range: Range) => string,
): Promise<Html> {
  const today = visit.now.toISOString().slice(0, 10);
  const begin =
    DAYS[range] === Infinity
      ? ''
      : new Date(visit.now.getTime() - DAYS[range] * DAY_MS).toISOString().slice(0, 10);
  const [kept, foreseen] = await Promise.all([
    visit.run('ledger.days', {
      workspace_id: id,
      by: STEPS[range],
      ...(begin === '' ? {} : { from: begin }),
    }),
    visit.run('credits.forecast', { workspace_id: id }),
  ]);
  const days = rowsOf(kept, 'days');
  const balance = numberOf(partOf(kept), 'balance');
  const past: readonly PastPoint[] = [
    ...(shown(partOf(kept), 'opening') === '-'
      ? []
      : [{ day: begin, name: `Begin of ${begin}`, balance: numberOf(partOf(kept), 'opening') }]),
    ...days.map((row) => ({ day: shown(row, 'day'), balance: numberOf(row, 'balance'), sums: row })),
    ...(days.some((row) => shown(row, 'day') === today) ? [] : [{ day: today, balance }]),
  ];
  const coming = foreseenDays(rowsOf(foreseen, 'days'), { today, balance });
  const points = [...past, ...coming.points];
  const endsOn = shown(partOf(foreseen), 'ends_on');
  const revision = numberOf(partOf(kept), 'revision');
  const isNew = revision < 0;
  return html`<section>
    <h2>Balance over time</h2>
    <nav aria-label="Time shown">
      ${RANGES.map((each) =>
        each === range
          ? html`<a href="${link(each)}" aria-current="true">${NAMES[each]}</a>`
          : html`<a href="${link(each)}">${NAMES[each]}</a>`,
      )}
    </nav>
    <figure data-chart data-style="${chartStyle.path}">
      ${balanceChart(points, coming.marks, `Balance until today, ${counted(balance, 'credit')}, and foreseen for 90 days`)}
      <figcaption>
        ${counted(balance, 'credit')}${isNew ? ': none were granted yet' : ` at revision ${revision}`}.
        ${endsOn === '-' ? 'No end is foreseen within 90 days.' : `Foreseen to end on ${endsOn}.`} Used in 24
        hours: ${shown(partOf(foreseen), 'burn')}. Dashed: foreseen.
        ${coming.marks.length === 0 ? '' : 'Upright lines: months that fall due, and credits that expire.'}
      </figcaption>
      <details>
        <summary>The same in numbers</summary>
        ${table(
          `${STEP_NAMES[STEPS[range]]} (UTC)${isNew ? '' : `, up to revision ${revision}`}`,
          [
            'Day',
            { number: 'Balance' },
            { number: 'Foreseen' },
            ...SUMS.map(([, heading]) => ({ number: heading })),
            'What is granted, falls due, expires or is missing',
          ],
          [
            ...past.map(({ day, name = day, balance: left, sums = {} }) => [
              name,
              String(left),
              '',
              ...SUMS.map(([sum]) => (shown(sums, sum) === '-' ? '' : shown(sums, sum))),
              '',
            ]),
            ...coming.points.map(({ day, balance: left }) => [
              day,
              '',
              String(left),
              ...SUMS.map(() => ''),
              (coming.notes.get(day) ?? []).join('; '),
            ]),
          ],
          'Nothing happened yet.',
        )}
      </details>
    </figure>
    <script src="${chartScript.path}" defer></script>
  </section>`;
}
