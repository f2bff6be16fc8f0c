import { counted } from './counted.js';

describe('a number with its noun', () => {
  it('is singular for 1 alone', () => {
    expect([counted(0, 'hold'), counted(1, 'hold'), counted(2, 'hold')]).toEqual([
      '0 holds',
      '1 hold',
      '2 holds',
    ]);
    expect([counted('1', 'credit'), counted('1.5', 'credit'), counted('-1', 'credit')]).toEqual([
      '1 credit',
      '1.5 credits',
      '-1 credits',
    ]);
    expect([counted(1, 'entry', 'entries'), counted(2, 'entry', 'entries')]).toEqual([
      '1 entry',
      '2 entries',
    ]);
  });
});
