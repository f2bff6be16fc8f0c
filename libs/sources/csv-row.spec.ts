import { csvLine } from './csv-row.js';
import { observationIn } from './sighting-of.js';

const refs = { ofDomain: () => null, ofHandle: () => null };

/** The start date of a person whose row has this text. */
function startOf(text: string): unknown {
  const cells = new Map([
    ['first_name', 'Ana'],
    ['company_name', 'Acme'],
    ['start_date', text],
  ]);
  const cell = (member: string): string | null => cells.get(member) ?? null;
  const line = csvLine('person', { ref: 'csv:a:1', redactsContacts: true, cell, refs });
  const { observation } = observationIn(line ?? {}, 1);
  return observation.kind === 'person' ? observation.experiences?.[0]?.startDate : undefined;
}

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
