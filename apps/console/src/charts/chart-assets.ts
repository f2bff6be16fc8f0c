import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { assetOf } from '../asset.js';

const { resolve } = createRequire(import.meta.url);
const packaged = (file: string): string => readFileSync(resolve(file), 'utf8');

/**
 * Draws the chart of a page again with uPlot, from the rows of its table: it shows the values at the pointer and can
 * be zoomed. The page is complete without it. Print uses the drawing of the page, because it scales.
 */
const DRAW = `
for (const figure of document.querySelectorAll('figure[data-chart]')) {
  const svg = figure.querySelector('svg.chart');
  const rows = [...figure.querySelectorAll('tbody tr')];
  if (svg === null || rows.length < 2) continue;
  const cell = (row, index) => row.cells[index].textContent.trim();
  const number = (text) => (text === '' || text === '-' ? null : Number(text));
  // the first row may be named after the begin of its day
  const days = rows.map((row) => Date.parse(cell(row, 0).slice(-10) + 'T00:00:00Z') / 1000);
  const balance = rows.map((row) => number(cell(row, 1)));
  const coming = rows.map((row) => number(cell(row, 2)));
  const due = rows.map((row) => /fall due|expire/.test(cell(row, row.cells.length - 1)));
  const today = balance.findLastIndex((value) => value !== null);
  if (today >= 0 && today < rows.length - 1) coming[today] = balance[today];
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const dayOf = (at) => new Date(at * 1000).toISOString().slice(0, 10);
  const width = () => Math.max(figure.clientWidth, 280);
  const stepped = uPlot.paths.stepped({ align: 1 });
  // all digits, as in the table
  const value = (_, left, __, index) => (index === null ? '--' : String(left ?? ''));
  const line = { value, stroke: colour('--accent'), width: 2, paths: stepped };
  const widthOf = (_, labels) => Math.max(70, ...(labels ?? []).map((label) => 15 + 7 * label.length));
  const axis = { stroke: colour('--text'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = figure.dataset.style;
  document.head.append(style);
  const place = document.createElement('div');
  svg.before(place);
  figure.classList.add('drawn');
  // months that fall due and credits that expire, as in the drawing of the page
  const marks = ({ ctx, bbox, valToPos }) => {
    ctx.save();
    ctx.strokeStyle = colour('--quiet');
    ctx.setLineDash([2, 3]);
    days.forEach((day, index) => {
      if (!due[index]) return;
      const x = valToPos(day, 'x', true);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    });
    ctx.restore();
  };
  const draw = () => new uPlot(
    {
      width: width(),
      height: Math.min(300, Math.round(width() * 0.5)),
      padding: [null, 48, null, null],
      scales: { y: { range: (_, low, high) => uPlot.rangeNum(Math.min(low, 0), high, 0.05, true) } },
      hooks: { draw: [marks] },
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'UTC'),
      series: [
        { label: 'Day', value: (_, at) => (at === null ? '--' : dayOf(at)) },
        { ...line, label: 'Balance', fill: colour('--tint') },
        { ...line, label: 'Foreseen', dash: [6, 5] },
      ],
      axes: [{ ...axis, space: 96, values: (_, at) => at.map(dayOf) }, { ...axis, size: widthOf }],
    },
    [days, balance, coming],
    place,
  );
  let plot = draw();
  addEventListener('resize', () => plot.setSize({ width: width(), height: Math.min(300, Math.round(width() * 0.5)) }));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => location.reload());
}
`;

/** The script of pages with a chart: uPlot from its package, and the code that draws with it. */
export const chartScript = assetOf('chart', 'js', `${packaged('uplot/dist/uPlot.iife.min.js')}\n{${DRAW}}\n`);
export const chartStyle = assetOf('chart', 'css', packaged('uplot/dist/uPlot.min.css'));
