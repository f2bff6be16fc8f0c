import { progressWords } from './progress-words.js';

describe('progress in words', () => {
  it('has the progress, the rate and the remaining time', () => {
    expect(progressWords({ done: 250, total: 1_000, perSecond: 50, note: 'building' })).toEqual({
      done: 250,
      total: 1_000,
      words: '250 of 1000, 50 a second, about 15 s left, building',
    });
    expect(progressWords({ done: 0, total: 6_000, perSecond: 50 }).words).toBe(
      '0 of 6000, 50 a second, about 2 min left',
    );
  });

  it('leaves out what is unknown', () => {
    expect(progressWords(null).words).toBe('It begins.');
    expect(progressWords({ done: 7, total: null })).toEqual({ done: 7, total: null, words: '7 done' });
    expect(progressWords({ done: 7, total: 9, perSecond: 0 }).words).toBe('7 of 9, 0 a second');
  });
});
