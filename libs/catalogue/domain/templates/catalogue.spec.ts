import { Refusal } from '#kernel/values/refusal.js';
import { given, stateFrom } from '#kernel/testing/scenario.js';
import {
  catalogue,
  setAvailability,
  syncCatalogue,
  unknownTemplateKey,
  type Catalogue,
} from './catalogue.js';
import {
  invalidCatalogue,
  parseCatalogueFile,
  shippedCatalogue,
  type CatalogueFile,
} from './catalogue-file.js';

const now = '2026-01-05T10:00:00.000Z';
const later = '2026-02-05T10:00:00.000Z';
const shipped = shippedCatalogue();

/** A catalogue of the first templates of the shipped one, each amended. */
function fileOf(...amendments: readonly object[]): CatalogueFile {
  return parseCatalogueFile({
    buckets: shipped.buckets,
    templates: amendments.map((amendment, index) => ({ ...shipped.templates[index], ...amendment })),
  });
}

function sync(file: CatalogueFile, state: Catalogue, retireMissing = false) {
  return syncCatalogue({ file, retireMissing, now: later })(state);
}

/** The state after a first sync of a file and later events. */
function synced(file: CatalogueFile, ...then: ReturnType<typeof sync>): Catalogue {
  const first = syncCatalogue({ file, retireMissing: false, now })(catalogue.initial());
  return stateFrom(catalogue, [...first, ...then]);
}

const FIRST = { templateId: 1, key: 'mentioned-keywords-on-network' };
const SECOND = { templateId: 2, key: 'keywords-in-top-account-posts' };

it('ships a catalogue that is valid', () => {
  expect(parseCatalogueFile(shipped)).toEqual(shipped);
});

describe('syncing the catalogue (OPS-08)', () => {
  it('defines buckets and templates, ids in the order of the file', () => {
    const events = syncCatalogue({ file: shipped, retireMissing: false, now })(catalogue.initial());
    expect(events.filter((event) => event.type === 'BucketDefined')).toHaveLength(3);
    const ids = events.flatMap((event) => (event.type === 'TemplateDefined' ? [event.data.templateId] : []));
    expect(ids).toEqual(Array.from({ length: 29 }, (_, index) => index + 1));
    expect(events.at(-1)).toEqual({
      type: 'TemplateRetired',
      data: { templateId: 29, key: 'legacy-keyword-watch', setBy: 'catalogue', retiredAt: now },
    });
  });

  it('changes nothing if the same file is synced again', () => {
    expect(sync(shipped, synced(shipped))).toEqual([]);
    expect(sync(shipped, synced(shipped), true)).toEqual([]);
  });

  it('records the changes of a revised template under the next version', () => {
    const events = sync(fileOf({ name: 'Topics', signal_bucket: null }), synced(fileOf({})));
    expect(events).toEqual([
      {
        type: 'TemplateRevised',
        data: { ...FIRST, version: 2, changes: { name: 'Topics', signalBucket: null } },
      },
    ]);
  });

  it('gives new templates the ids after the highest one', () => {
    const [defined] = sync(fileOf({}, {}), synced(fileOf({})));
    expect(defined).toMatchObject({ type: 'TemplateDefined', data: SECOND });
  });

  it('retires missing templates only on request, and reinstates them when a file names them again', () => {
    const both = synced(fileOf({}, {}));
    expect(sync(fileOf({}), both)).toEqual([]);
    const retired = sync(fileOf({}), both, true);
    expect(retired).toEqual([
      { type: 'TemplateRetired', data: { ...SECOND, setBy: 'catalogue', retiredAt: later } },
    ]);
    expect(sync(fileOf({}, {}), synced(fileOf({}, {}), ...retired))).toEqual([
      { type: 'TemplateReinstated', data: { ...SECOND, setBy: 'catalogue' } },
    ]);
  });

  it('releases templates with the status coming_soon', () => {
    expect(sync(fileOf({}), synced(fileOf({ status: 'coming_soon' })))).toEqual([
      { type: 'TemplateReleased', data: { ...FIRST, setBy: 'catalogue' } },
    ]);
  });

  it('keeps the availability that an operator has set', () => {
    const retired = setAvailability({ key: FIRST.key, retired: true, now })(synced(fileOf({})));
    expect(sync(fileOf({}), synced(fileOf({}), ...retired))).toEqual([]);
    const withdrawn = setAvailability({ key: FIRST.key, status: 'coming_soon', now })(synced(fileOf({})));
    expect(sync(fileOf({}), synced(fileOf({}), ...withdrawn))).toEqual([]);
  });
});

describe('setting the availability of a template (OPS-09)', () => {
  const defined = syncCatalogue({ file: fileOf({}), retireMissing: false, now })(catalogue.initial());

  it('records each change once', () => {
    const decided = (state: Catalogue, wish: { status: 'live' | 'coming_soon' } | { retired: boolean }) =>
      setAvailability({ key: FIRST.key, now, ...wish })(state).map((event) => event.type);
    const live = synced(fileOf({}));
    expect(decided(live, { status: 'live' })).toEqual([]);
    expect(decided(live, { retired: false })).toEqual([]);
    expect(decided(live, { status: 'coming_soon' })).toEqual(['TemplateWithdrawn']);
    expect(decided(live, { retired: true })).toEqual(['TemplateRetired']);
  });

  it('refuses a key that is not in the catalogue', () => {
    given(catalogue, defined)
      .when(setAvailability({ key: 'nope', retired: true, now }))
      .then(unknownTemplateKey());
  });
});

describe('reading a catalogue file', () => {
  const refusedPlaces = (input: unknown): readonly string[] => {
    try {
      parseCatalogueFile(input);
      return [];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      expect(error.declaration).toBe(invalidCatalogue);
      return [...(error.details.errors ?? new Map()).keys()];
    }
  };
  const amended = (amendment: object) => ({
    buckets: [],
    templates: [{ ...shipped.templates[0], ...amendment }],
  });

  it('accepts the shipped catalogue', () => {
    expect(refusedPlaces(shipped)).toEqual([]);
  });

  it('names the path of every fault', () => {
    expect(refusedPlaces(null)).toEqual(['catalogue']);
    expect(refusedPlaces(amended({ status: 'soon', subjects: [], discovery_credits: '1.1234567' }))).toEqual([
      'templates.0.status',
      'templates.0.subjects',
      'templates.0.discovery_credits',
    ]);
  });

  it('refuses a key named twice, a schema that does not compile and a missing list parameter', () => {
    const [first] = shipped.templates;
    expect(refusedPlaces({ buckets: [], templates: [first, first] })).toEqual(['templates.1.key']);
    expect(refusedPlaces(amended({ fields: { type: 'nonsense' } }))).toEqual(['templates.0.fields']);
    expect(refusedPlaces(amended({ detector: { ...first?.detector, list_type: 'champion' } }))).toEqual([
      'templates.0.fields',
    ]);
  });
});
