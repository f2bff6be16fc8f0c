import { sourceKinds } from '../source-kinds.js';
import { termsWarning } from './source-rows.js';

const warned = (readOn: string | null, now: string, kind = 'greenhouse') =>
  termsWarning({ kind, terms: { url: 'https://terms.example', verdict: 'public', readOn } }, new Date(now));

describe('the terms of a source', () => {
  it('are to be read again 180 days after somebody read them', () => {
    expect(warned('2026-01-01', '2026-01-01T10:00:00Z')).toBeNull();
    expect(warned('2026-01-01', '2026-06-30T00:00:00Z')).toBeNull();
    expect(warned('2026-01-01', '2026-06-30T00:00:00.001Z')).toBe(
      'the terms were read on 2026-01-01, more than 180 days ago: read them again',
    );
  });

  it('that nobody has read are warned of, as those of the kinds of which each site has its own', () => {
    expect(warned(null, '2026-01-01T10:00:00Z')).toContain('terms not read');
    for (const { name, terms, isFile } of sourceKinds) {
      const isOfSites = name === 'jsonld' || name === 'feed';
      expect([name, terms.readOn === null]).toEqual([name, isOfSites || isFile]);
      if (isOfSites) expect(warned(terms.readOn, '2026-12-01T00:00:00Z', name)).toContain('terms not read');
    }
  });

  it('SRC-10 of a file are those of its owner: that all workspaces share it is said instead', () => {
    expect(warned(null, '2026-01-01T10:00:00Z', 'csv')).toBe('all workspaces share what the file holds');
  });
});
