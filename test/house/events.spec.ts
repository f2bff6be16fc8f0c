import type { Vocabulary } from '#kernel/events/event.js';
import { requireSoundSchema } from '#kernel/values/json-schema.js';
import { projections } from '#projections/index.js';
import { allEvents, vocabularies } from '#runtime/vocabularies.js';
import { expectNone } from './expect-none.js';
import { declaredVocabularies, exportsOfAll, foldersOfDecisions } from './house.js';

/** Events that are neither folded into a decider's state nor projected, with their other reader. */
const READ_OTHERWISE: { readonly [categoryAndType: string]: string } = {
  'clock ClockSet': 'libs/clock/manual-clock.ts reads the last one',
  'log LogIdentified': 'libs/kernel/commands/log-identity.ts reads the first one',
  'sequence BlockReserved': 'libs/kernel/commands/ids.ts reads the last one',
};

const at = (places: readonly string[], fields: readonly string[]): readonly string[] =>
  places.flatMap((place) => fields.map((field) => `${place}.${field}`));

/** The candidates of batches that have a stream of their own, and of earlier batches. */
const CANDIDATES = ['BatchPrepared candidates', 'CandidatesFound candidates'];

const AUTHOR_FIELDS = ['full_name', 'network_url'];

/**
 * Fields spelt as in the API: records of the workspace that were copied whole into the first events. Stored shapes
 * are permanent; a new field or a new event must not be listed here.
 */
const OTHERWISE_SPELT: readonly string[] = [
  ...at(
    [
      ...at(CANDIDATES, ['company.facts', 'employer.facts']),
      'CompanyRegistered facts',
      'CompanyUpdated facts',
    ],
    [
      'activity_summary',
      'employee_range',
      'founded_year',
      'locations.country_code',
      'locations.formatted_address',
      'locations.is_hq',
      'locations.postal_code',
      'logo_url',
      'network_handle',
      'network_url',
      'number_of_employees',
    ],
  ),
  ...at(
    [...at(CANDIDATES, ['lead.facts']), 'LeadRegistered facts', 'LeadUpdated facts'],
    [
      'avatar_url',
      'experiences.company_name',
      'experiences.company_network_url',
      'experiences.end_date',
      'experiences.is_current',
      'experiences.start_date',
      'first_name',
      'geo.country_code',
      'last_name',
      'network_handle',
      'network_headline',
      'network_url',
    ],
  ),
  ...at(
    [...at(CANDIDATES, ['contents.facts']), 'ContentCaptured facts'],
    [
      'author.company_name',
      ...at(['author'], AUTHOR_FIELDS),
      'comment_count',
      'published_at',
      'reaction_count',
    ],
  ),
  ...at([...at(CANDIDATES, ['author']), 'SignalDetected author'], AUTHOR_FIELDS),
];

type Schema = {
  readonly properties?: { readonly [name: string]: Schema };
  readonly items?: Schema | readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};

/** The names of all fields below a schema, with dots: `runs.runId`. Keys that are data are no fields. */
function fieldsOf({ properties = {}, items = [], anyOf = [], allOf = [] }: Schema = {}): readonly string[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => [
    name,
    ...fieldsOf(schema).map((field) => `${name}.${field}`),
  ]);
  return [...own, ...[items, anyOf, allOf].flat().flatMap((schema) => fieldsOf(schema))];
}

/** The schema as plain JSON. */
const plain = (schema: unknown): Schema => JSON.parse(JSON.stringify(schema ?? {}));

type AnyDecider = {
  readonly category: string;
  readonly vocabulary: Vocabulary;
  readonly on: { readonly [type: string]: unknown };
};

function isDecider(value: unknown): value is AnyDecider {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['category', 'vocabulary', 'initial', 'on'].every((member) => Object.hasOwn(value, member))
  );
}

const deciders = (await exportsOfAll(foldersOfDecisions())).map(({ value }) => value).filter(isDecider);
const evolved = new Set(
  deciders.flatMap(({ category, on }) => Object.keys(on).map((type) => `${category} ${type}`)),
);
const projected = new Set(projections.flatMap(({ on }) => Object.keys(on)));
const everyEvent = Object.entries(vocabularies).flatMap(([category, events]) =>
  Object.keys(events).map((type) => ({ category, type, named: `${category} ${type}` })),
);

describe('the events of the house', () => {
  it('are declared in valid JSON Schemas, since no code checks these at use', () => {
    const declared = Object.entries(allEvents);
    expect(declared.length).toBeGreaterThan(100);
    for (const [, { schema }] of declared) requireSoundSchema(schema);
  });

  it('are all read: evolved by the decider of their streams, projected, or listed here with their reader', () => {
    expect(everyEvent.length).toBeGreaterThan(0);
    const unread = everyEvent.filter(
      ({ type, named }) =>
        !evolved.has(named) && !projected.has(type) && !Object.hasOwn(READ_OTHERWISE, named),
    );
    expectNone(
      unread.map(({ named }) => named),
      'these events have no reader: evolve or project them, or list their reader in READ_OTHERWISE',
    );
  });

  it('are listed with another reader only when neither a decider nor a projection reads them', () => {
    const listed = Object.keys(READ_OTHERWISE);
    const needed = everyEvent.filter(({ type, named }) => !evolved.has(named) && !projected.has(type));
    expect(listed.sort()).toEqual(needed.map(({ named }) => named).sort());
  });

  it('stand in the vocabulary of the category whose decider writes them', () => {
    expect(deciders.length).toBeGreaterThan(0);
    const homeless = deciders.flatMap(({ category, vocabulary }) =>
      Object.entries(vocabulary)
        .filter(([type, declaration]) => vocabularies[category]?.[type] !== declaration)
        .map(([type]) => `${category} ${type}`),
    );
    expectNone(homeless, 'list the vocabularies of these events in libs/runtime/vocabularies.ts');
  });

  it('are all known to the runtime, in any file', async () => {
    const declared = await declaredVocabularies();
    expect(declared.length).toBeGreaterThan(0);
    const unknown = declared.flatMap(({ name, events }) =>
      Object.entries(events)
        .filter(([type, declaration]) => allEvents[type] !== declaration)
        .map(([type]) => `${name}: ${type}`),
    );
    expectNone(unknown, 'list the vocabularies of these events in libs/runtime/vocabularies.ts');
  });

  it('have categories without a dash: the text before the first dash of a stream is its category', () => {
    expect(Object.keys(vocabularies).filter((category) => !/^[a-z][a-zA-Z]*$/.test(category))).toEqual([]);
  });

  it('have fields in camelCase, except those listed here', () => {
    const fields = everyEvent.flatMap(({ category, type }) =>
      fieldsOf(plain(vocabularies[category]?.[type]?.schema)).map((field) => `${type} ${field}`),
    );
    expect(fields.length).toBeGreaterThan(300);
    const others = fields.filter((field) => !/^\w+ (\w+\.)*[a-z][a-zA-Z0-9]*$/.test(field));
    expect([...new Set(others)].sort()).toEqual([...OTHERWISE_SPELT].sort());
  });

  it('are folded only where they are declared', () => {
    const handled = projections.flatMap(({ name, on }) =>
      Object.keys(on).map((type) => ({ type, by: `${name}: ${type}` })),
    );
    expect(handled.length).toBeGreaterThan(0);
    expectNone(
      handled.filter(({ type }) => !Object.hasOwn(allEvents, type)),
      'no vocabulary declares these handled types: correct the names in `on`',
    );
  });
});
