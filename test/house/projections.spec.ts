import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projections } from '#projections/index.js';
import { expectNone } from './expect-none.js';
import { exportsOf, houseRoot, sourceFiles } from './house.js';

const NOT_READ_MODELS = new Set(['testing']);

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(join(houseRoot, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_READ_MODELS.has(entry.name))
    .map(({ name }) => name);
const folders = foldersIn('projections').flatMap((feature) =>
  foldersIn(`projections/${feature}`).map((name) => ({ folder: `projections/${feature}/${name}`, name })),
);

describe('the read models of the house', () => {
  it('are one folder of a feature each, with a projection and a spec beside it', () => {
    expect(folders.length).toBeGreaterThan(0);
    const files = new Set(sourceFiles('projections'));
    const missing = folders
      .flatMap(({ folder, name }) => [`${folder}/${name}.projection.ts`, `${folder}/${name}.spec.ts`])
      .filter((file) => !files.has(file));
    expectNone(missing, 'write the missing files of these read models (docs/projections.md)');
  });

  it('are all in the registry, once, under the name of their folder', async () => {
    const registered = new Set<unknown>(projections);
    const declared = (await exportsOf('projections', '.projection.ts')).filter(({ value }) =>
      isProjection(value),
    );
    expectNone(
      declared.filter(({ value }) => !registered.has(value)).map(({ file }) => file),
      'list these read models in projections/index.ts',
    );
    expect(new Set(declared.map(({ value }) => value))).toEqual(registered);
    expect(projections.length).toBe(registered.size);
    const names = projections.map(({ name }) => name);
    expectNone(
      names.filter((name, index) => names.indexOf(name) !== index),
      'give each read model a name of its own; these are taken twice',
    );
  });
});

function isProjection(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['name', 'version', 'indexes', 'key', 'on'].every((member) => Object.hasOwn(value, member))
  );
}
