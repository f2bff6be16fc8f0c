import { resultText } from './print-result.js';

const HOSTILE = '\u001b[2J\u009b31m\u0007line\nfeed\ttab\r\u007f \u202Eright\u2066\u200F\u2028';
const SHOWN = '\\u001b[2J\\u009b31m\\u0007line\\nfeed\\ttab\\r\\u007f \\u202eright\\u2066\\u200f\\u2028';
/** Characters that a terminal interprets, except the line feeds of the table. */
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

describe('the answer of an operator command', () => {
  it('OPS-30 escapes control characters of customers, in lines, tables, keys and JSON cells', () => {
    const text = resultText(
      {
        name: HOSTILE,
        nested: { [HOSTILE]: HOSTILE },
        [HOSTILE]: 1,
        rows: [{ label: 'é\u001b', other: { deep: '\u202E' }, [`${HOSTILE}column`]: 2 }],
      },
      false,
    );
    expect(text).not.toMatch(OBEYED);
    expect(text).toContain(`name`);
    expect(text).toContain(SHOWN);
    expect(text).toContain('é\\u001b');
    expect(text).toContain('deep \\u202e');
    expect(text.split('\n')).toHaveLength(6);
  });

  it('OPS-30 is the same JSON for a program, without a character that a terminal interprets', () => {
    const answer = { name: HOSTILE, rows: [{ label: HOSTILE }] };
    const text = resultText(answer, true);
    expect(text).not.toMatch(OBEYED);
    expect(JSON.parse(text)).toEqual(answer);
  });

  it('shows nested members as separate rows, and lists of plain values with commas', () => {
    expect(resultText({ id: 1, balance: { held: 0, of: { a: 'b' } }, none: {}, list: [1, 2] }, false)).toBe(
      ['id            1', 'balance.held  0', 'balance.of.a  b', 'none          -', 'list          1, 2'].join(
        '\n',
      ),
    );
    const rows = [
      {
        id: 1,
        cause: { kind: 'signal', run_id: 4 },
        lots: [
          { lot: 2, credits: 5 },
          { lot: 3, credits: 1 },
        ],
      },
      { id: 2, cause: { kind: 'operator' }, lots: [] },
    ];
    expect(resultText({ rows }, false).split('\n')).toEqual([
      'rows',
      'id  cause          lots',
      ' 1  kind signal    lot 2, credits 5',
      '    run_id 4       lot 3, credits 1',
      ' 2  kind operator  []',
    ]);
  });

  it('cuts a long text in a table, but never a hash', () => {
    const hash = 'ab'.repeat(32);
    const [, , line] = resultText({ rows: [{ hash, text: 'x y'.repeat(40), seal: { hash } }] }, false).split(
      '\n',
    );
    expect(line).toContain(`${hash}  x y`);
    expect(line).toContain('…');
    expect(line).toContain(`hash ${hash}`);
  });

  it('shows a message in the last column of a table completely', () => {
    const message = 'publishedAt is not a member of a post (published_at?) and is ignored, in 1200 lines';
    const text = resultText({ notes: [{ line: 1, message }] }, false);
    expect(text.split('\n').at(-1)).toBe(`   1  ${message}`);
    const endless = resultText({ notes: [{ line: 1, message: 'x y'.repeat(400) }] }, false);
    expect(endless.split('\n').at(-1)).toMatch(/^ {3}1 {2}.{299}…$/);
  });

  it('does not change other texts', () => {
    const name = 'Łódź 青山 नमस्ते 👩‍💻 “quoted” \\u0041';
    expect(resultText({ name }, false)).toBe(`name  ${name}`);
  });
});
