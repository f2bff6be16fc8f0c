import { Refusal } from '#kernel/values/refusal.js';
import { Cursors } from './cursors.js';

const cursors = new Cursors('a secret');
const scope = { endpoint: 'usage', workspaceId: 7, filters: { date_from: '2026-01-01', date_to: null } };
const place = { keys: ['2026-01-05T10:00:00.000Z', 41], fixed: { start: '2025-10-01' } };

function refusalOf(decode: () => unknown): readonly string[] | undefined {
  try {
    decode();
  } catch (error) {
    if (error instanceof Refusal && error.declaration.kind === 'unacceptable') {
      return error.details.errors?.get('cursor');
    }
    throw error;
  }
  return undefined;
}

describe('a cursor', () => {
  it('CUR-07 restores its position and is URL-safe', () => {
    const cursor = cursors.encode(scope, place);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(cursors.decode(cursor, scope)).toEqual(place);
    expect(cursors.decode(cursor, { ...scope, filters: { date_to: null, date_from: '2026-01-01' } })).toEqual(
      place,
    );
  });

  it('CUR-06 is refused if it is garbage, truncated or changed in any character', () => {
    const cursor = cursors.encode(scope, place);
    const unknown = ['is not a cursor of this service'];
    for (const garbage of ['', 'x', '!!!', '{}', 'AAAAAAAAAAAA', `${cursor}A`, `${cursor}=`, `${cursor} `]) {
      expect(refusalOf(() => cursors.decode(garbage, scope))).toEqual(unknown);
    }
    for (let index = 0; index < cursor.length; index += 1) {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      const tampered = `${cursor.slice(0, index)}${other}${cursor.slice(index + 1)}`;
      expect(refusalOf(() => cursors.decode(tampered, scope))).toEqual(unknown);
      expect(refusalOf(() => cursors.decode(cursor.slice(0, index), scope))).toEqual(unknown);
    }
  });

  it('is refused by another endpoint, another workspace and another secret', () => {
    const cursor = cursors.encode(scope, place);
    expect(refusalOf(() => cursors.decode(cursor, { ...scope, endpoint: 'signals' }))).toEqual([
      'was issued by another endpoint',
    ]);
    const unknown = ['is not a cursor of this service'];
    expect(refusalOf(() => cursors.decode(cursor, { ...scope, workspaceId: 8 }))).toEqual(unknown);
    expect(refusalOf(() => new Cursors('other').decode(cursor, scope))).toEqual(unknown);
  });

  it('OP-23 is refused with other filters, with the message of the endpoint', () => {
    const cursor = cursors.encode(scope, place);
    const others = { ...scope, filters: { ...scope.filters, date_to: '2026-02-01' } };
    expect(refusalOf(() => cursors.decode(cursor, others, 'was issued for other dates'))).toEqual([
      'was issued for other dates',
    ]);
    expect(refusalOf(() => cursors.decode(cursor, others))).toEqual(['was issued for other filters']);
  });
});
