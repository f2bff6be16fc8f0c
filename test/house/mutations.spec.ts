import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { houseRoot } from './house.js';

type Mutation = { readonly name: string; readonly find: string };

describe('the rules that are broken on purpose', () => {
  it('each match exactly once in the code, so that none is skipped unnoticed', async () => {
    const load = (file: string) => import(pathToFileURL(join(houseRoot, 'test/mutations', file)).href);
    const { mutations }: { readonly mutations: readonly Mutation[] } = await load('mutations.mjs');
    const { misfit }: { readonly misfit: (mutation: Mutation, dist: string) => readonly string[] } =
      await load('misfit.mjs');
    const dist = join(houseRoot, 'dist');
    expect(mutations.length).toBeGreaterThan(0);
    expect(mutations.flatMap((mutation) => misfit(mutation, dist))).toEqual([]);
    const [first] = mutations;
    expect(first && misfit({ ...first, find: 'no line of the code' }, dist)).toEqual([
      expect.stringContaining('stands 0 times'),
    ]);
  });
});
