import { shownAddress } from './shown-address.js';

describe('an address for display', () => {
  it('has neither user nor password, with any characters', () => {
    for (const password of [
      'hunter2',
      'hun/ter2',
      'hun?ter2',
      'hun@ter2',
      'hun#ter2',
      'hun:ter2',
      'h//unter2',
    ]) {
      for (const scheme of ['mongodb', 'mongodb+srv', 'esdb', 'esdb+discover', 'http']) {
        const shown = shownAddress(`${scheme}://admin:${password}@db.example:1/views?tls=true`);
        expect(shown).toBe(`${scheme}://***@db.example:1/views?tls=true`);
      }
    }
  });

  it('keeps options except those with a secret', () => {
    expect(shownAddress('mongodb://h/db?w=1&tlsCertificateKeyFilePassword=hunter2&tls=true')).toBe(
      'mongodb://h/db?w=1&tlsCertificateKeyFilePassword=***&tls=true',
    );
    expect(shownAddress('mongodb://h/db?authMechanismProperties=AWS_SESSION_TOKEN:hunter2')).not.toContain(
      'hunter2',
    );
  });

  it('leaves other texts unchanged, and is one line', () => {
    expect(shownAddress('sqlite:./data/views.db')).toBe('sqlite:./data/views.db');
    expect(shownAddress('mongodb://host/db\nmore')).toBe('mongodb://host/db');
  });
});
