import type { Vocabulary } from '#kernel/events/event.js';
import { projections } from '#projections/index.js';
import { allEvents, vocabularies } from '#runtime/vocabularies.js';
import { declaredVocabularies, exportsOf } from './house.js';

/** Events that are neither folded into a decider's state nor projected, and what reads them instead. */
const READ_OTHERWISE: { readonly [categoryAndType: string]: string } = {
  'clock ClockSet': 'libs/clock/manual-clock.ts reads the last one',
  'sequence BlockReserved': 'libs/kernel/commands/ids.ts reads the last one',
};

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

const deciders = (await exportsOf('libs/domain')).map(({ value }) => value).filter(isDecider);
const evolved = new Set(
  deciders.flatMap(({ category, on }) => Object.keys(on).map((type) => `${category} ${type}`)),
);
const projected = new Set(projections.flatMap(({ on }) => Object.keys(on)));
const everyEvent = Object.entries(vocabularies).flatMap(([category, events]) =>
  Object.keys(events).map((type) => ({ category, type, named: `${category} ${type}` })),
);

describe('the events of the house', () => {
  it('are all read: evolved by the decider of their streams, projected, or listed here with their reader', () => {
    expect(everyEvent.length).toBeGreaterThan(0);
    const unread = everyEvent.filter(
      ({ type, named }) =>
        !evolved.has(named) && !projected.has(type) && !Object.hasOwn(READ_OTHERWISE, named),
    );
    expect(unread.map(({ named }) => named)).toEqual([]);
  });

  it('are listed with another reader only where neither a decider nor a projection reads them', () => {
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
    expect(homeless).toEqual([]);
  });

  it('are all known to the runtime, whichever file declares them', async () => {
    const declared = await declaredVocabularies();
    expect(declared.length).toBeGreaterThan(0);
    const unknown = declared.flatMap(({ name, events }) =>
      Object.entries(events)
        .filter(([type, declaration]) => allEvents[type] !== declaration)
        .map(([type]) => `${name}: ${type}`),
    );
    expect(unknown).toEqual([]);
  });

  it('have categories without a dash: the text before the first dash of a stream is its category', () => {
    expect(Object.keys(vocabularies).filter((category) => !/^[a-z][a-zA-Z]*$/.test(category))).toEqual([]);
  });

  it('are folded only where they are declared', () => {
    const handled = projections.flatMap(({ name, on }) =>
      Object.keys(on).map((type) => ({ type, by: `${name}: ${type}` })),
    );
    expect(handled.length).toBeGreaterThan(0);
    expect(handled.filter(({ type }) => !Object.hasOwn(allEvents, type))).toEqual([]);
  });
});
