import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projections } from '#projections/index.js';
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
    expect(missing).toEqual([]);
  });

  it('are all in the registry, once, under the name of their folder', async () => {
    const registered = new Set<unknown>(projections);
    const declared = (await exportsOf('projections', '.projection.ts')).filter(({ value }) =>
      isProjection(value),
    );
    expect(declared.filter(({ value }) => !registered.has(value))).toEqual([]);
    expect(new Set(declared.map(({ value }) => value))).toEqual(registered);
    expect(projections.length).toBe(registered.size);
    const names = projections.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

function isProjection(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['name', 'version', 'indexes', 'key', 'on'].every((member) => Object.hasOwn(value, member))
  );
}
