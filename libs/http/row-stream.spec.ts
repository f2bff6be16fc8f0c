import { Nullable, Type } from '#kernel/values/schema.js';
import { rowStream } from './row-stream.js';

const Row = Type.Object({
  id: Type.Integer(),
  company: Nullable(Type.Object({ name: Type.String() })),
  keywords: Nullable(Type.Array(Type.String())),
  data: Type.Union([
    Type.Object({ a: Type.Array(Type.Integer()) }),
    Type.Object({ b: Type.Integer() }),
    Type.Unknown(),
  ]),
});

async function* pages(...all: readonly (readonly object[])[]) {
  yield* all;
}
async function textOf(...asked: Parameters<typeof rowStream>): Promise<string> {
  let text = '';
  for await (const piece of rowStream(...asked).data) text += String(piece);
  return text;
}

describe('SIG-49 rows as a stream of lines', () => {
  const rows = [
    { id: -1, company: { name: '=SUM(A1)' }, keywords: ['CRM', 'C++'], data: { a: [1] } },
    { id: 2, company: null, keywords: null, data: 'say "hi", you' },
  ];

  it('are one JSON line per row, or a header and one CSV line per row in which no text is a formula', async () => {
    expect(await textOf('application/x-ndjson', Row, pages(rows, [{ id: 3 }]), null)).toBe(
      `${JSON.stringify(rows[0])}\n${JSON.stringify(rows[1])}\n{"id":3}\n`,
    );
    expect((await textOf('text/csv', Row, pages(rows), null)).split('\r\n')).toEqual([
      'id,company.name,keywords,data',
      `-1,'=SUM(A1),CRM; C++,"{""a"":[1]}"`,
      '2,,,"say ""hi"", you"',
      '',
    ]);
    expect(await textOf('text/csv', Row, pages([]), null)).toBe('id,company.name,keywords,data\r\n');
  });

  it('have no CSV text that is a formula behind white space', async () => {
    const data = [' =1+1', '\u00a0@SUM(A1)', '\v-2', '\uFEFF+3', ' \uFF1D4', '\t5', ' 6 - 7'];
    const text = await textOf('text/csv', Row, pages(data.map((each) => ({ id: 1, data: each }))), null);
    expect(text.split('\r\n').slice(1, -1)).toEqual([
      ...data.slice(0, -1).map((each) => `1,,,'${each}`),
      '1,,, 6 - 7',
    ]);
  });

  it('have the cursor of the next rows in Next-Cursor, and none after the last row', () => {
    expect(rowStream('text/csv', Row, pages(), 'abc').headers).toEqual({
      'content-type': 'text/csv; charset=utf-8',
      'next-cursor': 'abc',
    });
    expect(rowStream('application/x-ndjson', Row, pages(), null).headers).toEqual({
      'content-type': 'application/x-ndjson',
    });
  });
});
