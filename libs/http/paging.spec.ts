import { totalAtEnd } from './paging.js';

describe('the total of an offset page (OP-04)', () => {
  const asked = (page: number) => ({ page, pageSize: 25, skip: (page - 1) * 25 });

  it('is known from a page that is not full', () => {
    expect(totalAtEnd(0, asked(1))).toBe(0);
    expect(totalAtEnd(24, asked(1))).toBe(24);
    expect(totalAtEnd(1, asked(4))).toBe(76);
  });

  it('has to be counted for a full page, which may or may not be the last one', () => {
    expect(totalAtEnd(25, asked(1))).toBeNull();
    expect(totalAtEnd(25, asked(4))).toBeNull();
  });

  it('has to be counted if the page is past the end', () => {
    expect(totalAtEnd(0, asked(4))).toBeNull();
  });
});
