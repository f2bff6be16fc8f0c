import { csvOf } from './csv.js';

describe('a list as CSV', () => {
  it('quotes commas, quotes and line breaks', () => {
    expect(csvOf([['a,b', 'say "so"', 'x\ny', 'plain']])).toBe('"a,b","say ""so""","x\ny",plain\r\n');
  });

  it('has no text that a spreadsheet reads as a formula; numbers stay numbers', () => {
    const cells = ['=1+1', '+cmd', '-2+3', '@SUM(A1)', ' =x', '\t=x', '\uFF1D1+1', -12.5, 12];
    expect(csvOf([cells]).trimEnd().split(',')).toEqual([
      "'=1+1",
      "'+cmd",
      "'-2+3",
      "'@SUM(A1)",
      "' =x",
      "'\t=x",
      "'\uFF1D1+1",
      '-12.5',
      '12',
    ]);
  });
});
