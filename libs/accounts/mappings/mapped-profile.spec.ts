import { firstDayOf } from './mapped-profile.js';

describe('the start of a position', () => {
  for (const [shown, day] of [
    ['2024', '2024-01-01'],
    ['2024-03', '2024-03-01'],
    ['2024-03-15', '2024-03-15'],
    ['2024-13', null],
    ['2024-02-30', null],
    ['spring 2024', null],
    ['', null],
    [null, null],
  ] as const)
    it(`MAP-44 is ${day} if the network shows ${shown}`, () => {
      expect(firstDayOf(shown)).toBe(day);
    });
});
