import { capitalized, pascalCase } from './capitalized.js';

describe('capital letters', () => {
  it('begin a text, and change nothing behind its first character', () => {
    expect(['no such company', 'API key', '', '1 day'].map(capitalized)).toEqual([
      'No such company',
      'API key',
      '',
      '1 day',
    ]);
  });

  it('begin each word of a name that has dots and underscores', () => {
    expect(['signal.detected', 'account.covered_again'].map(pascalCase)).toEqual([
      'SignalDetected',
      'AccountCoveredAgain',
    ]);
  });
});
