import { csvLine } from './csv-row.js';
import type { CsvKind } from './csv-mapping.js';
import { observationIn } from './sighting-of.js';
import type { Line } from './source-kind.js';

const refs = { ofDomain: () => null, ofHandle: () => null };

function lineOf(kind: CsvKind, cells: { readonly [member: string]: string }): Line | null {
  const cell = (member: string): string | null => cells[member] ?? null;
  return csvLine(kind, { ref: 'csv:a:1', redactsContacts: true, cell, refs });
}

/** The start date of a person whose row has this text. */
function startOf(text: string): unknown {
  const line = lineOf('person', { first_name: 'Ana', company_name: 'Acme', start_date: text });
  const { observation } = observationIn(line ?? {}, 1);
  return observation.kind === 'person' ? observation.experiences?.[0]?.startDate : undefined;
}

describe('a row whose handle or domain cannot be read', () => {
  const observed = (kind: CsvKind, cells: { readonly [member: string]: string }) =>
    observationIn(lineOf(kind, cells) ?? {}, 1).observation;

  it.each(['n/a', 'acme corp', 'https://www.linkedin.com/feed/', '-'.repeat(201)])(
    'is read by what else names it: %s',
    (handle) => {
      expect(observed('company', { handle, domain: 'n/a, acme.com' })).toMatchObject({
        handle: null,
        domains: ['acme.com'],
      });
      expect(observed('person', { handle, last_name: 'Roy' })).toMatchObject({
        handle: null,
        lastName: 'Roy',
      });
    },
  );

  it('is skipped if nothing else names it', () => {
    expect(lineOf('company', { handle: 'acme corp', domain: 'none', name: 'Acme' })).toBeNull();
    expect(lineOf('person', { handle: 'ana roy' })).toBeNull();
  });

  it('keeps a handle that is written as an address', () => {
    const handle = 'https://www.linkedin.com/company/Acme/';
    expect(observed('company', { handle })).toMatchObject({ handle: 'acme' });
  });
});

describe('a row of a person', () => {
  it.each([
    ['2024', '2024'],
    ['2024-03', '2024-03'],
    ['2024-03-09T10:00:00Z', '2024-03-09'],
    ['20240309', '2024-03-09'],
    ['2024-3-9', '2024'],
    ['2024-31-03', '2024'],
    ['2024-13', '2024'],
    ['2024-03-32', '2024-03'],
    ['45292', null],
    ['03/2024', null],
  ])('keeps its start date %s as %s', (text, expected) => {
    expect(startOf(text)).toBe(expected);
  });
});
