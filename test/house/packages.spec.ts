import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { houseRoot } from './house.js';

type Package = { readonly version?: string; readonly engines?: { readonly node?: string } };
type Locked = Package & { readonly resolved?: string; readonly hasInstallScript?: boolean };
type Lock = { readonly packages: Readonly<Record<string, Locked>> };

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

  it('has an install script only of packages for which package.json says whether it may run', () => {
    const { allowScripts } = JSON.parse(readFileSync(join(houseRoot, 'package.json'), 'utf8'));
    const scripted = installed.filter(([, { hasInstallScript = false }]) => hasInstallScript);
    const names = scripted.map(([path]) =>
      path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    );
    expect(names.sort()).toEqual(Object.keys(allowScripts).sort());
  });
});
