import type { JsonObject, JsonValue } from '../values/json.js';
import { requirePlain, type Leaving, type Read } from './turn.js';

/** A state of every kind of part: replaced by the fold or changed in place by it. */
type State = {
  readonly name: string;
  readonly settings: { readonly limit: bigint; readonly free: JsonObject; readonly any: JsonValue } | null;
  readonly tags: readonly string[];
  readonly members: Map<number, { readonly since: string }>;
  readonly seen: ReadonlySet<string>;
  readonly amounts: number[];
  readonly sums: { held: bigint };
};

const state: State = {
  name: 'a',
  settings: { limit: 1n, free: { any: ['thing'] }, any: [[]] },
  tags: ['t'],
  members: new Map([[1, { since: 'then' }]]),
  seen: new Set(['s']),
  amounts: [1],
  sums: { held: 5n },
};

const heldLater =
  ({ sums }: State) =>
  () =>
    sums.held;

// As `load` takes it: what it gives is what the read gave.
const read = <Result>(reading: Read<State, Result>): Result => reading(state as never);

describe('a read of a state', () => {
  it('gives plain data: values, copies, and what the fold replaces and never changes', () => {
    const given = read(({ name, settings, tags, members, amounts, sums }) => ({
      name,
      settings,
      tags,
      members: [...members.values()],
      amounts: [...amounts],
      held: sums.held,
    }));
    const limit: bigint | undefined = given.settings?.limit;
    expect([limit, given.members, given.held]).toEqual([1n, [{ since: 'then' }], 5n]);
    expect(read(() => null)).toBeNull();
    expect(read(() => undefined)).toBeUndefined();
  });

  it('that gives anything else does not compile', () => {
    const refused: readonly unknown[] = [
      // @ts-expect-error the state itself
      read((all) => all),
      // @ts-expect-error the state inside of something else
      read((all) => [{ all }]),
      // @ts-expect-error a map, which the fold changes in place
      read(({ members }) => members),
      // @ts-expect-error a set, however it is declared
      read(({ seen }) => ({ seen })),
      // @ts-expect-error an array that the fold may push to
      read(({ amounts }) => amounts),
      // @ts-expect-error an object with members that the fold may assign
      read(({ sums }) => sums),
      // @ts-expect-error a function, which would read the state later
      read(heldLater),
      // @ts-expect-error a promise, which would go on reading after the turn
      read(async ({ name }) => name),
    ];
    expect(refused).toHaveLength(8);
  });

  it('is said by its type what it may not give', () => {
    const words: Leaving<State> = 'only plain data leaves a turn';
    expect(words).toContain('plain data');
  });

  it('is also checked at run time, for code that evades the types', () => {
    expect(() => requirePlain(state, state)).toThrow('does not leave its turn');
    expect(() => requirePlain(Promise.resolve(1), state)).toThrow('waits for nothing');
    for (const plain of [null, undefined, 0, 'text', { held: 5n }, [1]])
      expect(requirePlain(plain, state)).toBe(plain);
  });
});
