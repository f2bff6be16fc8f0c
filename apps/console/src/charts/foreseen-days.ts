import { counted } from '#kernel/values/counted.js';
import { numberOf, shown, type AnswerPart } from '../answer.js';
import type { BalanceMark, BalancePoint } from './balance-chart.js';

/** The days of a forecast after today, for a chart and its table. */
export type ForeseenDays = {
  readonly points: readonly BalancePoint[];
  readonly marks: readonly BalanceMark[];
  /** The notes on a day in the table. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
};

/**
 * Reads the days of `credits.forecast`. A forecast becomes negative by the missing amount, a balance does not,
 * because uncovered amounts are not spent. So the line ends at zero (or at today's balance, if an adjustment made it
 * negative), and the table shows the missing amount.
 */
export function foreseenDays(
  days: readonly AnswerPart[],
  { today, balance }: { readonly today: string; readonly balance: number },
): ForeseenDays {
  const least = Math.min(0, balance);
  const coming = days.filter((row) => shown(row, 'date') > today);
  const marks = coming.flatMap((row): readonly BalanceMark[] => {
    const day = shown(row, 'date');
    const [months, expires] = [numberOf(row, 'months'), numberOf(row, 'expires')];
    return [
      ...(months > 0
        ? [{ day, kind: 'due', text: `months that fall due, ${counted(months, 'credit')}` } as const]
        : []),
      ...(expires > 0
        ? [
            {
              day,
              kind: 'expires',
              text: `${counted(expires, 'credit')} ${expires === 1 ? 'expires' : 'expire'}`,
            } as const,
          ]
        : []),
    ];
  });
  return {
    marks,
    points: coming.map((row) => ({
      day: shown(row, 'date'),
      balance: Math.max(numberOf(row, 'balance'), least),
      foreseen: true,
    })),
    notes: new Map(
      coming.map((row) => {
        const day = shown(row, 'date');
        const left = numberOf(row, 'balance');
        const granted = numberOf(row, 'granted');
        return [
          day,
          [
            ...(granted > 0 ? [`${counted(granted, 'credit')} granted`] : []),
            ...marks.filter((mark) => mark.day === day).map(({ text }) => text),
            ...(left < least ? [`${counted(-left, 'credit')} missing by then`] : []),
          ],
        ];
      }),
    ),
  };
}
