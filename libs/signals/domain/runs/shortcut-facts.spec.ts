import fc from 'fast-check';
import type { JsonObject, JsonValue } from '#kernel/values/json.js';
import { shortcutsIn, storedShortcuts, type Shortcuts } from './shortcut-facts.js';
import { SIGNAL_TYPES } from './signal-types.js';
import { detectionWithoutRepeats } from './upcast-detection.js';

const text = fc.oneof(fc.constantFrom('', ' ', 'Ana Roy', 'We moved our CRM', 'a'.repeat(300)), fc.string());
const known = fc.option(text);
const person = fc.record({ full_name: known, headline: known, network_url: known }, { requiredKeys: [] });
const author = fc.record(
  { full_name: known, headline: known, network_url: known, role: known, comment_text: known },
  { requiredKeys: [] },
);
/** Payloads in the forms of all types, with parts that are absent or of another JSON type. */
const payload: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue[]>(null, [], 'text', 7),
  fc.record(
    {
      author: fc.oneof(person, fc.constant(null)),
      profile: person,
      interaction: fc.record({ url: known, author }),
      post: fc.record({ url: known, extract: known, author }),
      job_posting: fc.record({ title: known, url: known }),
      evidence: fc.array(fc.record({ url: known, extract: known }), { maxLength: 2 }),
      current: fc.record({ title: known, company_name: known }),
      keywords_found: fc.oneof(fc.array(text, { maxLength: 2 }), fc.constant(null)),
    },
    { requiredKeys: [] },
  ),
);
const detection = fc.record({
  signalType: fc.constantFrom(...SIGNAL_TYPES),
  signalDate: fc.option(fc.constant('2026-01-03T09:00:00.000Z')),
  data: payload,
});
const shortcuts: fc.Arbitrary<Shortcuts> = fc.record({
  sourceUrl: known,
  author: fc.option(fc.record({ full_name: known, headline: known, network_url: known })),
  excerpt: known,
  details: fc.dictionary(
    fc.constantFrom('post_text', 'comment_text', 'keywords', 'action_date', 'new_role', 'counterpart_name'),
    text,
  ),
});

/** The shortcuts derived from the payload alone: none of them is stored. */
const derived = (detected: Parameters<typeof shortcutsIn>[0]): Shortcuts =>
  shortcutsIn({ ...detected, details: {} });

describe('the stored shortcuts of a detection', () => {
  it('OP-20 give the same shortcuts again, for any payload and any contents', () => {
    fc.assert(
      fc.property(detection, shortcuts, (detected, shown) => {
        expect(shortcutsIn({ ...detected, ...storedShortcuts(detected, shown) })).toEqual(shown);
      }),
    );
  });

  it('leave out everything that the payload contains', () => {
    fc.assert(
      fc.property(detection, (detected) => {
        expect(storedShortcuts(detected, derived({ ...detected, details: {} }))).toEqual({ details: {} });
      }),
    );
  });

  it('store a null where the payload has a value and the shortcut has none', () => {
    const data = { author: { full_name: 'Ana', headline: null, network_url: null }, keywords_found: ['crm'] };
    const detected = { signalType: 'keywordDetection', signalDate: null, data };
    const nothing = { sourceUrl: null, author: null, excerpt: null, details: {} };
    expect(storedShortcuts(detected, nothing)).toEqual({
      author: null,
      details: { interaction: null, keywords: null },
    });
  });

  it('store the author of whom only the headline is known', () => {
    const author = { full_name: null, headline: 'VP Sales', network_url: null };
    const detected = { signalType: 'newJob', signalDate: null, data: { profile: author } };
    const shown = { sourceUrl: null, author, excerpt: null, details: {} };
    expect(storedShortcuts(detected, shown)).toEqual({ author, details: {} });
    expect(shortcutsIn({ ...detected, details: {} }).author).toBeNull();
  });
});

describe('a detection of the version that stored all shortcuts', () => {
  it('shows the same shortcuts', () => {
    fc.assert(
      fc.property(detection, shortcuts, (detected, shown) => {
        const before: JsonObject = JSON.parse(JSON.stringify({ ...detected, ...shown }));
        const { details } = detectionWithoutRepeats(before);
        const today = { ...detected, ...shown, details: details as JsonObject };
        expect(shortcutsIn(today)).toEqual(shown);
      }),
    );
  });
});
