import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { misspeltSettings } from './setting-names.js';

describe('OPS-35 names that are nearly a setting', () => {
  it('are told with the setting that was probably meant', () => {
    const environment = { RATE_LIMIT_RPM: '5', DATADIR: '/x', Ops_Token: 'x', ROLE: 'api', STORE_URL: 'x' };
    expect(misspeltSettings({ ...environment, EVENTSTORE_URL: 'x', LOGLEVEL: 'debug' })).toEqual([
      'DATADIR is no setting and has no effect: DATA_DIR is one',
      'EVENTSTORE_URL is no setting and has no effect: EVENT_STORE_URL is one',
      'LOGLEVEL is no setting and has no effect: LOG_LEVEL is one',
      'Ops_Token is no setting and has no effect: OPS_TOKEN is one',
      'RATE_LIMIT_RPM is no setting and has no effect: RATE_LIMIT_RPS is one',
    ]);
  });

  it('are neither settings nor what every environment has', () => {
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

  it('know every variable that the settings read', () => {
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
