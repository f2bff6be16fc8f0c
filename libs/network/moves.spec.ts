import { moveOf, recordedMove, type Move } from './moves.js';
import type { Experience, PersonObservation } from './observation.js';
import { isSameTitle, seniorityRank } from './work-positions.js';

const work = (
  title: string | null,
  company: Partial<Experience>,
  facts: Partial<Experience> = {},
): Experience => ({
  title,
  companyRef: null,
  companyName: null,
  startDate: null,
  endDate: null,
  department: null,
  seniority: null,
  location: null,
  ...company,
  ...facts,
});

const person = (rev: number, experiences: readonly Experience[] | null): PersonObservation => ({
  kind: 'person',
  ref: 'p:ana',
  rev,
  handle: 'ana',
  firstName: null,
  lastName: null,
  headline: null,
  about: null,
  avatarUrl: null,
  email: null,
  phone: null,
  geo: null,
  experiences,
  observedAt: '2026-01-05T00:00:00.000Z',
});

const names: { readonly [ref: string]: string } = { 'c:acme': 'Acme' };

/** The move between two work histories, null for none. */
function between(before: readonly Experience[] | null, after: readonly Experience[] | null): Move | null {
  const recorded = recordedMove(person(1, before), person(2, after));
  return recorded === null ? null : moveOf(recorded, (ref) => names[ref] ?? null);
}
const changeBetween = (
  before: readonly Experience[] | null,
  after: readonly Experience[] | null,
): string | null => between(before, after)?.change ?? null;

const ACME = { companyRef: 'c:acme' };
const GLOBEX = { companyRef: 'c:globex' };
const rep = work('Rep', ACME, { startDate: '2020' });
const ended = (position: Experience, endDate = '2026-01'): Experience => ({ ...position, endDate });

describe('D-25 a revision of a person is', () => {
  it('no move without a work history on either side, or without any current position', () => {
    expect(changeBetween(null, [rep])).toBeNull();
    expect(changeBetween([rep], null)).toBeNull();
    expect(changeBetween([ended(rep)], [ended(rep)])).toBeNull();
    expect(changeBetween([], [])).toBeNull();
  });

  it('a departure if the current position is missing afterwards', () => {
    expect(changeBetween([rep], [ended(rep)])).toBe('departure');
    expect(changeBetween([rep], [])).toBe('departure');
  });

  it('no move if the new current position was already open before: a side job ended', () => {
    const board = work('Board', GLOBEX, { startDate: '2010' });
    expect(changeBetween([rep, board], [ended(rep), board])).toBeNull();
    expect(changeBetween([rep, board], [ended(rep), { ...board, title: 'Chair' }])).toBe('new_company');
  });

  it('a new company if there was no position before, or one elsewhere', () => {
    expect(changeBetween([], [rep])).toBe('new_company');
    expect(
      changeBetween([ended(rep, '2019')], [ended(rep, '2019'), work('VP', ACME, { startDate: '2026' })]),
    ).toBe('new_company');
    expect(changeBetween([rep], [work('Rep', GLOBEX)])).toBe('new_company');
    expect(changeBetween([work('Rep', { companyName: 'One' })], [work('Rep', { companyName: 'Two' })])).toBe(
      'new_company',
    );
  });

  it('D-24 no move if it is unknown whether the company is the same; names decide if a ref is missing', () => {
    expect(changeBetween([rep], [work('VP', {})])).toBeNull();
    expect(changeBetween([work('Rep', GLOBEX)], [work('VP', { companyName: 'Globex' })])).toBeNull();
    expect(changeBetween([rep], [work('VP', { companyName: 'ACME' })])).toBe('promotion');
    expect(changeBetween([rep], [work('VP', { companyName: 'Other' })])).toBe('new_company');
    expect(changeBetween([rep], [work('VP', { ...GLOBEX, companyName: 'Acme' })])).toBe('new_company');
  });

  it('no move at the same company if one title is unknown: absent, empty or blank', () => {
    for (const title of [null, '', ' ', '\u200b']) {
      expect([title, changeBetween([work(title, ACME)], [work('VP', ACME)])]).toEqual([title, null]);
      expect([title, changeBetween([work('VP', ACME)], [work(title, ACME)])]).toEqual([title, null]);
    }
  });

  it('a promotion at the same company with another title, unless the seniority is known to have fallen', () => {
    const as = (title: string | null, seniority: string | null): Experience =>
      work(title, ACME, { seniority });
    expect(changeBetween([as('Rep', 'entry')], [as('Head', 'head')])).toBe('promotion');
    expect(changeBetween([as('Rep', 'head')], [as('Head', 'Head')])).toBe('promotion');
    expect(changeBetween([as('VP', 'vp')], [as('Head', 'head')])).toBeNull();
    expect(changeBetween([as('VP', 'vp')], [as('Head', 'boss')])).toBe('promotion');
    expect(changeBetween([as('VP, Sales', null)], [as('VP Sales', null)])).toBeNull();
    expect(changeBetween([as(null, null)], [as('VP', null)])).toBeNull();
  });
});

describe('D-26 a move', () => {
  it('has the earlier current position as its previous one, ended if the new revision says so', () => {
    expect(between([rep], [ended(rep), work('VP', GLOBEX, { startDate: '2026' })])).toMatchObject({
      from: { endDate: null },
      previous: { title: 'Rep', companyRef: 'c:acme', endDate: '2026-01' },
      current: { title: 'VP', companyRef: 'c:globex' },
    });
    expect(between([rep], [work('VP', GLOBEX)])?.previous).toEqual(rep);
    expect(
      between([rep], [{ ...rep, title: 'Representative', endDate: '2026' }])?.previous?.endDate,
    ).toBeNull();
  });

  it('ends the position with the same start if a person returned to a company', () => {
    const earlier = work('Rep', ACME, { startDate: '2010', endDate: '2012' });
    expect(between([earlier, rep], [earlier, ended(rep)])?.previous?.endDate).toBe('2026-01');
    expect(
      between([earlier, rep], [earlier, rep, work('VP', GLOBEX, { startDate: '2026' })])?.previous?.endDate,
    ).toBeNull();
  });

  it('has the end of its own position among several with its title: by company, then by start, then the latest', () => {
    const next = work('VP', GLOBEX, { startDate: '2026' });
    const endIn = (...after: readonly Experience[]) => between([rep], [...after, next])?.previous?.endDate;
    const [corrected, elsewhere] = [work('Rep', ACME, { startDate: '2020-03' }), work('Rep', GLOBEX)];
    const earlier = work('Rep', ACME, { startDate: '2010', endDate: '2012' });
    const sideJob = work('Rep', ACME, { startDate: '2010' });
    expect(endIn(ended(corrected), ended(elsewhere, '2026-03'))).toBe('2026-01');
    expect(endIn(ended(rep), sideJob)).toBe('2026-01');
    expect(endIn(ended(corrected), earlier)).toBe('2026-01');
    expect(endIn(corrected, earlier)).toBeNull();
  });

  it('has the last ended position if there was none: the latest end, then the latest start', () => {
    const before = [ended(work('A', ACME), '2019'), ended(work('B', ACME, { startDate: '2012' }), '2021')];
    const last = ended(work('C', ACME, { startDate: '2015' }), '2021');
    expect(between([...before, last], [...before, last, work('VP', GLOBEX)])?.previous).toEqual(last);
    expect(between([], [work('VP', GLOBEX)])?.previous).toBeNull();
  });
});

describe('D-20 titles', () => {
  it('are equal if their word characters are', () => {
    expect(isSameTitle('VP, Sales', 'vp  sales')).toBe(true);
    expect(isSameTitle('(VP) Sales!', 'VP-Sales')).toBe(true);
    expect(isSameTitle('VP Sales', 'VPSales')).toBe(false);
    expect(isSameTitle('VP Sales', 'Sales VP')).toBe(false);
  });
});

describe('D-23 seniority', () => {
  it('is one of eleven from high to low, in any spelling; others are unknown', () => {
    const ranks = [
      'Owner',
      'founder',
      'C-Suite',
      'partner',
      'VP',
      'head',
      'director',
      'manager',
      'Senior',
      'entry',
      'intern',
    ];
    expect(ranks.map(seniorityRank)).toEqual(ranks.map((_, index) => index));
    expect(['boss', '', null].map(seniorityRank)).toEqual([null, null, null]);
  });
});
