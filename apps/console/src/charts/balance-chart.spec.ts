import { balanceChart, sparkline } from './balance-chart.js';

const days = [
  { day: '2026-01-01', balance: 100 },
  { day: '2026-01-05', balance: 40 },
  { day: '2026-01-09', balance: 20, foreseen: true },
] as const;

describe('a chart of a balance', () => {
  it('has a step per day, and dashes the forecast', () => {
    const { text } = balanceChart(days, [], 'Balance');
    expect(text).toContain('<path class="line" d="M64 12H506V156" />');
    expect(text).toContain('<path class="line coming" d="M506 156H948V204" />');
  });

  it('has a line with a description for each mark', () => {
    const { text } = balanceChart(
      days,
      [{ day: '2026-01-09', kind: 'expires', text: '5 credits <expire>' }],
      'Balance',
    );
    expect(text).toContain('2026-01-09: 5 credits &lt;expire&gt;');
    expect(text.match(/class="mark expires"/g)).toHaveLength(1);
  });

  it('is empty without days, and has plain numbers if all days are zero', () => {
    expect(balanceChart([], [], 'Balance').text).toBe('');
    const { text } = balanceChart([{ day: '2026-01-01', balance: 0 }], [], 'Balance');
    expect(text).not.toMatch(/NaN|Infinity/);
  });
});

describe('a sparkline', () => {
  it('has a bar for each day with a value, the greatest at full height', () => {
    const { text } = sparkline([0, 5, 10], 'Spent');
    expect(text.match(/v-22h/g)).toHaveLength(1);
    expect(text.match(/v-11h/g)).toHaveLength(1);
    expect(sparkline([0, 0], 'Spent').text).not.toMatch(/NaN|v-/);
  });
});
