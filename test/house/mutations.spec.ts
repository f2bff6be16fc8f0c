import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expectNone } from './expect-none.js';
import { houseRoot } from './house.js';
import { hasTitle } from './spec-titles.js';

type Mutation = { readonly name: string; readonly find: string };

describe('the rules that are broken on purpose', () => {
  it('each match exactly once in the code, so that none is skipped unnoticed', async () => {
    const load = (file: string) => import(pathToFileURL(join(houseRoot, 'test/mutations', file)).href);
    const { mutations }: { readonly mutations: readonly Mutation[] } = await load('mutations.mjs');
    const { misfit }: { readonly misfit: (mutation: Mutation, dist: string) => readonly string[] } =
      await load('misfit.mjs');
    const dist = join(houseRoot, 'dist');
    expect(mutations.length).toBeGreaterThan(0);
    expectNone(
      mutations.flatMap((mutation) => misfit(mutation, dist)),
      'correct the texts to find in test/mutations/mutations.mjs',
    );
    const [first] = mutations;
    expect(first && misfit({ ...first, find: 'no line of the code' }, dist)).toEqual([
      expect.stringContaining('stands 0 times'),
    ]);
  });

  it('are each documented with a title that its spec still has', () => {
    const page = readFileSync(join(houseRoot, 'docs/mutations.md'), 'utf8');
    // For a test that took too long the cell has the fault of its file: `the file took …, in "group > title"`.
    const caught = [...page.matchAll(/\| `([^`|]+\.spec\.ts)`: (.+) \| [\d.]+ \|$/gm)].map(
      ([, spec = '', cell = '']) => {
        const title = /, in ".* > (.+)"$/.exec(cell)?.[1] ?? cell;
        return { spec, title: title.replaceAll('\\|', '|') };
      },
    );
    expect(caught.length).toBeGreaterThan(200);
    expect(caught.filter(({ spec, title }) => !hasTitle(spec, title))).toEqual([]);
    const [first] = caught;
    expect(first && hasTitle(first.spec, `no ${first.title}`)).toBe(false);
  });
});
