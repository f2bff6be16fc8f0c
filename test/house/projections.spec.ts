import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { expect } from 'expect';
import { projections } from '#projections/index.js';
import { allEvents } from '#runtime/vocabularies.js';

/** A read model that nobody registered would never be filled, and one of another name would be rebuilt as it. */
const room = join(dirname(fileURLToPath(import.meta.url)), '../../../projections');
const declarations = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.projection.ts'),
);

describe('the registry of read models', () => {
  it('lists every projection that is declared, each under a name of its own', () => {
    const declared = declarations.map((file) => {
      const name = /\n  name: '(?<name>[a-z-]+)',\n/.exec(readFileSync(join(room, file), 'utf8'))?.groups;
      return name?.['name'];
    });
    expect(declared.length).toBeGreaterThan(15);
    expect(projections.map(({ name }) => name).sort()).toEqual(declared.sort());
  });

  for (const file of declarations) {
    it(`has a spec beside ${file}`, () => {
      expect(existsSync(join(room, file.replace('.projection.ts', '.spec.ts')))).toBe(true);
    });
  }

  for (const { name, on } of projections) {
    it(`${name} handles only events that are declared`, () => {
      const types = Object.keys(on);
      expect(types.length).toBeGreaterThan(0);
      expect(types.filter((type) => allEvents[type] === undefined)).toEqual([]);
    });
  }
});
