import { Doubts } from './doubts.js';

const MINUTE_MS = 60_000;
const MOST = 1_000;

describe('commands of unknown outcome', () => {
  let nowMs: number;
  let doubts: Doubts;
  beforeEach(() => {
    nowMs = 0;
    doubts = new Doubts(() => nowMs);
  });

  it('are looked for from the earliest revision at which one of them may be', () => {
    doubts.add(['late'], 9n);
    doubts.add(['early'], 4n);
    doubts.add(['middle'], 6n);
    expect(doubts.earliestOf(['late', 'early', 'middle', 'never sent'])).toBe(4n);
    expect(doubts.earliestOf(['late', 'middle'])).toBe(6n);
    expect(doubts.earliestOf(['never sent'])).toBeNull();
  });

  it('are forgotten ten minutes after their last attempt, each at its own time', () => {
    doubts.add(['sent again'], 1n);
    nowMs = 4 * MINUTE_MS;
    doubts.add(['not sent again'], 2n);
    nowMs = 9 * MINUTE_MS;
    expect(doubts.earliestOf(['sent again'])).toBe(1n);
    nowMs = 14 * MINUTE_MS;
    expect(doubts.earliestOf(['not sent again'])).toBeNull();
    expect(doubts.areLeft()).toBe(true);
    nowMs = 19 * MINUTE_MS;
    expect(doubts.areLeft()).toBe(false);
    expect(doubts.earliestOf(['sent again'])).toBeNull();
  });

  it('are at most a thousand: the one whose last attempt is the oldest is forgotten first', () => {
    doubts.add(['sent again'], 1n);
    doubts.add(['not sent again'], 2n);
    expect(doubts.earliestOf(['sent again'])).toBe(1n);
    doubts.add(
      Array.from({ length: MOST - 2 }, (_, index) => `full ${index}`),
      3n,
    );
    expect(doubts.earliestOf(['not sent again'])).toBe(2n);
    expect(doubts.earliestOf(['sent again'])).toBe(1n);
    doubts.add(['one too many'], 4n);
    expect(doubts.earliestOf(['full 0'])).toBeNull();
    expect(doubts.earliestOf(['full 1', 'not sent again', 'sent again'])).toBe(1n);
  });
});
