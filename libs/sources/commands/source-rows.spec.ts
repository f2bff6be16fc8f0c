import type { JsonObject } from '#kernel/values/json.js';
import type { SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { memoryIn } from '../poll-memory.js';
import { sourceKinds } from '../source-kinds.js';
import { sourceRow, termsWarning } from './source-rows.js';

const warned = (readOn: string | null, now: string, kind = 'greenhouse') =>
  termsWarning({ kind, terms: { url: 'https://terms.example', verdict: 'public', readOn } }, new Date(now));

describe('the terms of a source', () => {
  it('are to be read again after 180 days', () => {
    expect(warned('2026-01-01', '2026-01-01T10:00:00Z')).toBeNull();
    expect(warned('2026-01-01', '2026-06-30T00:00:00Z')).toBeNull();
    expect(warned('2026-01-01', '2026-06-30T00:00:00.001Z')).toBe(
      'the terms were read on 2026-01-01, more than 180 days ago: read them again',
    );
  });

  it('cause a warning if they were not read, as for kinds whose sites have their own terms', () => {
    expect(warned(null, '2026-01-01T10:00:00Z')).toContain('terms not read');
    for (const { name, terms, isFile } of sourceKinds) {
      const isOfSites = name === 'jsonld' || name === 'feed';
      expect([name, terms.readOn === null]).toEqual([name, isOfSites || isFile]);
      if (isOfSites) expect(warned(terms.readOn, '2026-12-01T00:00:00Z', name)).toContain('terms not read');
    }
  });

  it('SRC-10 of a file are those of its owner: the warning says instead that all workspaces share it', () => {
    expect(warned(null, '2026-01-01T10:00:00Z', 'csv')).toBe('all workspaces share the content of the file');
  });
});

describe('a row of a source', () => {
  const board: SourceDocument = {
    id: 1,
    kind: 'greenhouse',
    boardId: 'acme',
    name: 'Acme jobs',
    url: 'https://boards.greenhouse.io/acme',
    subject: null,
    subjectName: null,
    redactsContacts: true,
    isShared: false,
    baseUrl: null,
    match: null,
    mapping: null,
    addedPosition: '1',
    earlier: [],
    hasMoved: null,
    terms: { url: 'https://terms.example', verdict: 'public', readOn: '2026-01-01' },
    addedAt: '2026-01-01T00:00:00.000Z',
    status: 'active',
  };
  const now = new Date('2026-01-02T00:00:00Z');
  const warning = (left: JsonObject, source = board) => sourceRow(source, memoryIn(left), now).warning;

  it('SRC-06 shows what the next reading has to confirm before it is closed', () => {
    expect(warning({ empty: 0, suspects: [] })).toBeNull();
    expect(warning({ empty: 1 })).toContain('the last answer was empty');
    expect(warning({ empty: 2 })).toBeNull();
    expect(warning({ suspects: ['a', 'b'] })).toContain('2 postings were not listed');
    const old = { ...board, terms: { ...board.terms, readOn: '2025-01-01' } };
    expect(warning({ empty: 1 }, old)).toMatch(/empty, too; the terms were read on 2025-01-01/);
    // A feed never closes items.
    expect(warning({ empty: 1 }, { ...old, kind: 'feed' })).toMatch(/^the terms/);
  });

  it('shows a stored time that no timestamp can show as the last one, and never as null', () => {
    const next = (nextPollAtMs: number) => sourceRow(board, memoryIn({ nextPollAtMs }), now).next_poll;
    expect(next(now.getTime())).toBe('2026-01-02T00:00:00.000Z');
    for (const far of [Date.UTC(10_000, 0), 8.64e15, 8.64e15 + 1])
      expect([far, next(far)]).toEqual([far, '9999-12-31T23:59:59.999Z']);
    expect(next(Number.MAX_SAFE_INTEGER)).toBeNull();
  });
});
