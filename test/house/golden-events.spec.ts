import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEvent, encodeEvent } from '#kernel/events/event-codec.js';
import type { EventDeclaration } from '#kernel/events/event.js';
import type { JsonObject } from '#kernel/values/json.js';
import { expectNone } from './expect-none.js';
import { declaredVocabularies, houseRoot } from './house.js';

/**
 * Every event ever written stays readable: each declared type has a golden payload of each version that was ever
 * shipped (`golden/<Type>.v<version>.json` beside its declaration, never edited), and each still upcasts to a payload
 * that is valid today. A later optional field is shown in `<Type>.v<version>.with-<field>.json`.
 */
function goldens(folder: string, type: string, version: number): ReadonlyMap<string, JsonObject> {
  const directory = join(houseRoot, folder, 'golden');
  const first = `${type}.v${version}.json`;
  const later = namesIn(directory).filter((name) => name.startsWith(`${type}.v${version}.with-`));
  expectNone(
    existsSync(join(directory, first)) ? [] : [`${folder}/golden/${first}`],
    'write this golden payload: what an event of this version stores',
  );
  return new Map(
    [first, ...later].map((name) => [name, JSON.parse(readFileSync(join(directory, name), 'utf8'))]),
  );
}

const namesIn = (directory: string): readonly string[] =>
  existsSync(directory) ? readdirSync(directory).sort() : [];

/**
 * Event types by the folder that declares them; a vocabulary that spreads a smaller one does not declare its types.
 */
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
          for (const data of goldens(folder, type, version).values()) {
            const metadata = { schemaVersion: String(version) };
            const place = { stream: 'golden-1', revision: 0n, position: '0' };
            const decoded = decodeEvent(vocabulary, { id: 'golden', type, data, metadata, ...place });
            const today = decoded?.data ?? {};
            const encoded = encodeEvent(vocabulary, { type, data: today }, 'golden', {});
            expect(encoded.metadata['schemaVersion']).toBe(String(schemaVersion));
          }
        });
      }

      it(`${type} has newest goldens that show every field, and each later one its own`, () => {
        const newest = goldens(folder, type, schemaVersion);
        const shown = new Set([...newest.values()].flatMap((payload) => Object.keys(payload)));
        expectNone(
          Object.keys(schema.properties).filter((field) => !shown.has(field)),
          `no golden payload shows these fields: write ${type}.v${schemaVersion}.with-<field>.json with each optional one (docs/commands.md, 3)`,
        );
        expect([...shown].sort()).toEqual(Object.keys(schema.properties).sort());
        for (const [name, payload] of newest) {
          const [, field] = /\.with-(\w+)\.json$/.exec(name) ?? [];
          if (field !== undefined) expect(Object.keys(payload)).toContain(field);
        }
      });
    }

    it('has no golden of an undeclared event', () => {
      const declared = [...events].flatMap(([type, { schemaVersion }]) =>
        Array.from({ length: schemaVersion }, (_, index) => [
          ...goldens(folder, type, index + 1).keys(),
        ]).flat(),
      );
      expect(namesIn(join(houseRoot, folder, 'golden'))).toEqual(declared.sort());
    });
  });
}

it('the golden events of every aggregate and of the kernel were looked for', () => {
  const written = readdirSync(join(houseRoot, 'libs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('golden'))
    .map((file) => join('libs', file, '..'));
  expect(written.length).toBeGreaterThan(0);
  expectNone(
    written.filter((folder) => !folders.has(folder)),
    'no vocabulary declares events in these folders: move their golden files to the folder that does',
  );
});
