import { bodyBudget } from './body-budget.js';

describe('the budget of request bodies', () => {
  it('is limited per caller and in total, and each reservation is released once', () => {
    const take = bodyBudget({ ofCaller: 10, inAll: 15 });
    const first = take('a', 6);
    expect(take('a', 5)).toBeNull();
    expect(take('a', 4)).not.toBeNull();
    expect(take('b', 6)).toBeNull();
    expect(take('b', 5)).not.toBeNull();
    expect(take('c', 0)).not.toBeNull();
    first?.();
    first?.();
    expect(take('b', 6)).toBeNull();
    expect(take('b', 5)).not.toBeNull();
    expect(take('a', 2)).toBeNull();
    expect(take('a', 1)).not.toBeNull();
  });
});
