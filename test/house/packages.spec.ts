import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { houseRoot } from './house.js';

type Package = { readonly version?: string; readonly engines?: { readonly node?: string } };
type Lock = { readonly packages: Readonly<Record<string, Package & { readonly resolved?: string }>> };

const lock: Lock = JSON.parse(readFileSync(join(houseRoot, 'package-lock.json'), 'utf8'));
const installed = Object.entries(lock.packages);

describe('package-lock.json', () => {
  it('installs without a warning on the oldest Node.js that the README names', () => {
    const readme = readFileSync(join(houseRoot, 'README.md'), 'utf8');
    const [, named = ''] = /\[Node\.js\]\(\S+\) (\d+\.\d+) or newer/.exec(readme) ?? [];
    const oldest = `${named}.0`;
    expect(lock.packages['']?.engines?.node).toBe(`>=${named}`);
    const demanding = installed.filter(([, { engines }]) => engines?.node !== undefined);
    expect(demanding.length).toBeGreaterThan(100);
    const tooNew = demanding.filter(([, { engines }]) => !semver.satisfies(oldest, engines?.node ?? ''));
    expect(tooNew.map(([path, { version }]) => `${path} ${version}`)).toEqual([]);
  });

  it('holds no download address: packages come from the registry that the installer uses', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});
