import { DAY_MS } from '#kernel/values/durations.js';
import { html, type Html } from '#http/page.js';

/** The balance at the end of a day; `foreseen` for a future day. */
export type BalancePoint = { readonly day: string; readonly balance: number; readonly foreseen?: true };

/** An event of a future day: months that fall due, or credits that expire. */
export type BalanceMark = { readonly day: string; readonly kind: 'due' | 'expires'; readonly text: string };

const WIDTH = 960;
const HEIGHT = 280;
const LEFT = 64;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 28;
const TICKS = 4;
const MOST_LABELS = 7;

const dayNumber = (day: string): number => Math.round(Date.parse(`${day}T00:00:00.000Z`) / DAY_MS);
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);
const rounded = (value: number): number => Math.round(value * 10) / 10;

/** A readable step of an axis: 1, 2 or 5 times a power of ten. */
function niceStep(range: number): number {
  const rough = range / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((step) => step * power >= rough) ?? 10) * power;
}

const short = (value: number): string =>
  Math.abs(value) >= 1_000_000
    ? `${rounded(value / 1_000_000)}M`
    : Math.abs(value) >= 10_000
      ? `${rounded(value / 1_000)}k`
      : String(Math.round(value * 100) / 100);

/** A balance over time as a line with steps at each day; the forecast is dashed. The script draws over it. */
export function balanceChart(
  points: readonly BalancePoint[],
  marks: readonly BalanceMark[],
  title: string,
): Html {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return html``;
  const from = dayNumber(first.day);
  const to = Math.max(dayNumber(last.day), from + 1);
  const balances = points.map(({ balance }) => balance);
  const step = niceStep(Math.max(Math.max(0, ...balances) - Math.min(0, ...balances), 1));
  const low = Math.floor(Math.min(0, ...balances) / step) * step;
  const high = Math.max(Math.ceil(Math.max(0, ...balances) / step) * step, low + step);
  const x = (day: number): number => rounded(LEFT + ((day - from) / (to - from)) * (WIDTH - LEFT - RIGHT));
  const y = (value: number): number =>
    rounded(TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM));
  const path = (shown: readonly BalancePoint[]): string =>
    shown
      .map(({ day, balance }, index) => {
        const at = x(dayNumber(day));
        return index === 0 ? `M${at} ${y(balance)}` : `H${at}V${y(balance)}`;
      })
      .join('');
  const past = points.filter(({ foreseen }) => foreseen !== true);
  const coming = points.filter(({ foreseen }) => foreseen === true);
  const today = past.at(-1);
  const line = path(past);
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => low + index * step);
  const everyDays = Math.max(Math.ceil((to - from) / MOST_LABELS), 1);
  const labels = Array.from(
    { length: Math.floor((to - from) / everyDays) + 1 },
    (_, index) => from + index * everyDays,
  );
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
    ${ticks.map(
      (tick) =>
        html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick)}" y2="${y(tick)}" />
          <text x="${LEFT - 8}" y="${y(tick) + 4}" text-anchor="end">${short(tick)}</text>`,
    )}
    ${labels.map(
      (day, index) =>
        html`<text x="${x(day)}" y="${HEIGHT - 8}" text-anchor="${index === 0 ? 'start' : 'middle'}">
          ${dayOf(day)}
        </text>`,
    )}
    ${marks.map(
      ({ day, kind, text }) =>
        html`<line
          class="mark ${kind}"
          x1="${x(dayNumber(day))}"
          x2="${x(dayNumber(day))}"
          y1="${TOP}"
          y2="${y(low)}"
        >
          <title>${day}: ${text}</title>
        </line>`,
    )}
    ${
      today === undefined
        ? ''
        : html`<path class="area" d="${line}V${y(low)}H${x(dayNumber(past[0]?.day ?? ''))}Z" />
            <path class="line" d="${line}" />
            ${
              coming.length === 0
                ? ''
                : html`<path class="line coming" d="${path([today, ...coming])}" />
                    <circle class="today" cx="${x(dayNumber(today.day))}" cy="${y(today.balance)}" r="3.5" />`
            }`
    }
  </svg>`;
}

/** A few values side by side, the last one today; the greatest has full height. */
export function sparkline(values: readonly number[], title: string): Html {
  const width = 112;
  const height = 24;
  const most = Math.max(...values, 0);
  const step = width / Math.max(values.length, 1);
  const bar = (value: number): number => (most === 0 ? 0 : rounded((value / most) * (height - 2)));
  return html`<svg
    class="spark"
    viewBox="0 0 ${width} ${height}"
    width="${width}"
    height="${height}"
    role="img"
    aria-label="${title}"
  >
    <line class="grid" x1="0" x2="${width}" y1="${height - 0.5}" y2="${height - 0.5}" />
    <path
      d="${values
        .flatMap((value, index) =>
          value <= 0
            ? []
            : [
                `M${rounded(index * step)} ${height}v-${Math.max(bar(value), 1)}h${rounded(step - 1)}V${height}z`,
              ],
        )
        .join('')}"
    />
  </svg>`;
}
