import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { misspeltSettings } from './setting-names.js';

describe('OPS-35 names that are nearly a setting', () => {
  it('are reported with the setting that was probably intended', () => {
    const environment = { RATE_LIMIT_RPM: '5', DATADIR: '/x', Ops_Token: 'x', ROLE: 'api', STORE_URL: 'x' };
    expect(misspeltSettings({ ...environment, EVENTSTORE_URL: 'x', LOGLEVEL: 'debug' })).toEqual([
      'DATADIR is not a setting and has no effect; did you mean DATA_DIR?',
      'EVENTSTORE_URL is not a setting and has no effect; did you mean EVENT_STORE_URL?',
      'LOGLEVEL is not a setting and has no effect; did you mean LOG_LEVEL?',
      'Ops_Token is not a setting and has no effect; did you mean OPS_TOKEN?',
      'RATE_LIMIT_RPM is not a setting and has no effect; did you mean RATE_LIMIT_RPS?',
    ]);
  });

  it('exclude settings and the variables of every environment', () => {
    const usual = [
      'HOME',
      'HOSTNAME',
      'PATH',
      'PWD',
      'LANG',
      'LOGNAME',
      'SHELL',
      'TERM',
      'USER',
      'NODE_ENV',
      'TZ',
    ];
    const environment = Object.fromEntries(
      [...usual, 'PORT', 'OPS_PORT', 'LOG_LEVEL'].map((name) => [name, 'x']),
    );
    expect(misspeltSettings(environment)).toEqual([]);
  });

  it('include every variable that the settings read', () => {
    const root = join(import.meta.dirname, '../../..');
    const files = ['settings.ts', 'tracing/tracing-settings.ts'].map((file) =>
      join(root, 'libs/runtime', file),
    );
    const read = files.flatMap((file) => readFileSync(file, 'utf8').match(/'[A-Z][A-Z]+(_[A-Z]+)+'/g) ?? []);
    const names = new Set(read.map((quoted) => quoted.slice(1, -1)).filter((name) => name !== 'NODE_ENV'));
    expect(names.size).toBeGreaterThan(20);
    const known = readFileSync(join(root, 'libs/runtime/setting-names.ts'), 'utf8');
    expect([...names].filter((name) => !known.includes(`'${name}'`))).toEqual([]);
  });
});
