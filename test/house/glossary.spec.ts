import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectNone } from './expect-none.js';
import { houseRoot, sourceFiles } from './house.js';

const glossary = readFileSync(join(houseRoot, 'docs/glossary.md'), 'utf8');
const [, house = ''] = glossary.split('\n## The house\n');
const words = [...house.matchAll(/^- \*\*([^*]+)\*\*/gm)].map(([, word = '']) => word.toLowerCase());

describe('docs/glossary.md', () => {
  it('explains only words that the house uses', () => {
    // names are read word by word: `memberLandmarks` is "member landmarks"
    const sources = ['libs', 'projections', 'apps']
      .flatMap((folder) => sourceFiles(folder))
      .map((file) => readFileSync(join(houseRoot, file), 'utf8').replaceAll(/([a-z])([A-Z])/g, '$1 $2'))
      .join('\n');
    expect(words.length).toBeGreaterThan(5);
    const isUsed = (word: string) => new RegExp(`\\b${word}s?\\b`, 'i').test(sources);
    expectNone(
      words.filter((word) => !isUsed(word)),
      'the code does not use these words: rename or remove them in docs/glossary.md',
    );
    expect(isUsed('word of nobody')).toBe(false);
  });
});
