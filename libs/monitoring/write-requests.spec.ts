import { beginsUnits, changedUnits, isSameRequest } from './write-requests.js';

const change = (before: readonly number[], after: readonly number[]) => ({
  source: { kind: 'pick', accountId: 1 } as const,
  companyId: 1,
  before,
  after: new Set(after),
});

describe('a change of the requests of an account', () => {
  it('counts the units that begin and those that end', () => {
    expect(changedUnits(change([1, 2], [2, 3, 4]))).toBe(3);
    expect(changedUnits(change([], []))).toBe(0);
  });

  it('is none for the same units in another order', () => {
    expect(isSameRequest(change([2, 1], [1, 2]))).toBe(true);
    expect(isSameRequest(change([1, 2], [1]))).toBe(false);
  });

  it('begins a unit that did not request the account', () => {
    expect(beginsUnits(change([1, 2], [2]))).toBe(false);
    expect(beginsUnits(change([1], [2]))).toBe(true);
  });
});
