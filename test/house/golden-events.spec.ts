import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { expect } from 'expect';
import { decodeEvent, encodeEvent } from '#kernel/event-codec.js';
import type { EventDeclaration } from '#kernel/event.js';
import type { JsonObject } from '#kernel/json.js';
import { declaredVocabularies, houseRoot } from './house.js';

/**
 * Every event ever written stays readable: each declared type has a golden payload of each version that was
 * ever shipped (`golden/<Type>.v<version>.json` beside its declaration, never edited), and each still upcasts to
 * what is valid today.
 */
function golden(folder: string, type: string, version: number): JsonObject {
  const payload: JsonObject = JSON.parse(
    readFileSync(join(houseRoot, folder, 'golden', `${type}.v${version}.json`), 'utf8'),
  );
  return payload;
}

/** Event types by the folder that declares them; a vocabulary that spreads a smaller one in only borrows it. */
const folders = new Map<string, Map<string, EventDeclaration>>();
const known = new Set<EventDeclaration>();
const smallestFirst = (await declaredVocabularies()).toSorted(
  (left, right) => Object.keys(left.events).length - Object.keys(right.events).length,
);
for (const { folder, events } of smallestFirst) {
  const own = folders.get(folder) ?? new Map<string, EventDeclaration>();
  for (const [type, declaration] of Object.entries(events)) {
    if (!known.has(declaration)) own.set(type, declaration);
    known.add(declaration);
  }
  folders.set(folder, own);
}

for (const [folder, events] of folders) {
  describe(`golden events of ${folder}`, () => {
    for (const [type, declaration] of events) {
      const { schema, schemaVersion } = declaration;
      const vocabulary = { [type]: declaration };
      for (let version = 1; version <= schemaVersion; version += 1) {
        it(`${type} of version ${version} is still read as a valid event of today`, () => {
          const data = golden(folder, type, version);
          const metadata = { schemaVersion: String(version) };
          const place = { stream: 'golden-1', revision: 0n, position: '0' };
          const decoded = decodeEvent(vocabulary, { id: 'golden', type, data, metadata, ...place });
          const today = decoded?.data ?? {};
          const encoded = encodeEvent(vocabulary, { type, data: today }, 'golden', {});
          expect(encoded.metadata['schemaVersion']).toBe(String(schemaVersion));
        });
      }

      it(`${type} has a newest golden that shows every field`, () => {
        const shown = Object.keys(golden(folder, type, schemaVersion)).sort();
        expect(shown).toEqual(Object.keys(schema.properties).sort());
      });
    }

    it('has no golden of an event that nobody declares', () => {
      const path = join(houseRoot, folder, 'golden');
      const declared = [...events].flatMap(([type, { schemaVersion }]) =>
        Array.from({ length: schemaVersion }, (_, index) => `${type}.v${index + 1}.json`),
      );
      expect(existsSync(path) ? readdirSync(path).sort() : []).toEqual(declared.sort());
    });
  });
}

it('the golden events of every aggregate and of the kernel were looked for', () => {
  const written = ['libs/domain', 'libs/kernel'].flatMap((folder) =>
    readdirSync(join(houseRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('golden'))
      .map((file) => join(folder, file, '..')),
  );
  expect(written.length).toBeGreaterThan(0);
  expect(written.filter((folder) => !folders.has(folder))).toEqual([]);
});
