import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatementRowView, StatementView } from '#ledger/answers/statement.answer.js';
import { houseRoot } from '#test/house/house.js';

/** A statement row by row with its opening and closing. */
export function statementTable({ opening, rows, closing, revision }: StatementView): string {
  return table(
    ['Recorded (UTC)', 'Entry', 'Movement', 'What', 'Change', 'Spent', 'Balance', 'Why'],
    [
      ['', '', '', '**opening**', '', '', opening, ''],
      ...rows.map((row) => [
        row.at.slice(0, 16).replace('T', ' '),
        row.revision,
        row.movement_id,
        [row.kind, row.product ?? ''].join(' ').trim(),
        signed(row.credits),
        row.spend === 0 ? '' : row.spend,
        row.balance,
        whyOf(row),
      ]),
      ['', revision ?? '', '', '**closing**', '', '', closing, ''],
    ],
  );
}

function whyOf({ cause, payer }: StatementRowView): string {
  const paid = payer === 'workspace' ? '' : `paid by ${payer}`;
  const corrects = cause.corrects === undefined ? '' : `corrects ${cause.corrects}`;
  return [cause.subject ?? '', cause.reason ?? '', corrects, paid].filter((part) => part !== '').join('; ');
}

/** Spending by product, cause and payer. */
export function totalsTable({ totals }: StatementView): string {
  const rows = (what: string, amounts: Readonly<Record<string, number>>) =>
    Object.entries(amounts).map(([name, credits]) => [what, name, credits]);
  return table(
    ['Spent by', '', 'Credits'],
    [
      ...rows('product', totals.by_product),
      ...rows('cause', totals.by_cause),
      ...rows('payer', totals.by_payer),
    ],
  );
}

/** A change of the available credits, with its sign. */
export const signed = (credits: number): string => (credits > 0 ? `+${credits}` : String(credits));

/** A Markdown table; characters that look like cell borders are escaped. */
export function table(heads: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const line = (cells: readonly unknown[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The lines of a worked example in docs/finance.md, between its markers; `npm run docs` writes them. */
export function linesOnPage(example: string): readonly string[] {
  const page = readFileSync(join(houseRoot, 'docs/finance.md'), 'utf8');
  const [, shown = ''] = page.split(new RegExp(`<!-- (?:end of the )?${example} -->`));
  return plainLines(shown);
}

/** Lines without the white space and rules that formatting adds to tables. */
export const plainLines = (markdown: string): readonly string[] =>
  markdown
    .split('\n')
    .map((line) =>
      line.startsWith('|')
        ? line
            .split('|')
            .map((cell) => cell.trim())
            .join('|')
        : line.trim(),
    )
    .filter((line) => line !== '' && !/^[|:-]+$/.test(line));

/** The minute of an instant, as tables show it. */
export const minute = (instant: string): string => instant.slice(0, 16).replace('T', ' ');
