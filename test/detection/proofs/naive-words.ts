import type { LaunchPersona } from '#signals/domain/launches/launch.events.js';
import type { NaiveLaunch, Observed } from './proof.js';
import type { World } from './naive-world.js';

/** Comparison of texts, places and people (D-18, D-20 to D-24), for texts in ASCII. */

export const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** OP-69. */
export function contains(text: unknown, wanted: string): boolean {
  const keyword = folded(wanted);
  if (typeof text !== 'string' || keyword === '') return false;
  const before = /^\w/.test(keyword) ? '(?<!\\w)' : '';
  const after = /\w$/.test(keyword) ? '(?!\\w)' : '';
  return new RegExp(before + keyword.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + after).test(folded(text));
}

/** An array parameter; absent and empty mean no condition (D-11). */
export const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** The countries that occur in random networks. */
const COUNTRIES: { readonly [code: string]: string } = { FR: 'France', DE: 'Germany', JP: 'Japan' };
const REGIONS: { readonly [name: string]: readonly string[] } = {
  europe: ['FR', 'DE'],
  dach: ['DE'],
};

function countryNames(place: Observed): readonly string[] {
  return [place.country, place.country_code, COUNTRIES[place.country_code]]
    .filter((name) => typeof name === 'string')
    .map(folded);
}

/** D-21. */
export const isInCountry = (place: Observed, wanted: readonly string[]): boolean =>
  place !== null &&
  place !== undefined &&
  wanted.some((country) => countryNames(place).includes(folded(country)));

/** D-22. */
export function isAt(place: Observed, wanted: readonly string[]): boolean {
  if (place === null || place === undefined) return false;
  const names = [...countryNames(place), folded(place.city ?? '?'), folded(place.region ?? '?')];
  return wanted.some((location) =>
    location
      .split(',')
      .map(folded)
      .every((part) => names.includes(part) || (REGIONS[part]?.includes(place.country_code) ?? false)),
  );
}

/** The codes of the countries that a wanted location of postings names (OP-52). */
export function codesNamed(location: string): readonly string[] {
  const name = folded(location);
  const own = Object.entries(COUNTRIES).filter(([code, country]) =>
    [folded(code), folded(country)].includes(name),
  );
  return own.length > 0 ? own.map(([code]) => code) : (REGIONS[name] ?? []);
}

/** D-23. */
export const seniorityOf = (text: unknown): string | null =>
  typeof text === 'string' ? folded(text).replace(/[ -]/g, '_') : null;

/** D-18. */
export function matchesPersona(world: World, personRef: string, persona: LaunchPersona): boolean {
  const position = world.position(personRef);
  const title = position?.title ?? null;
  return (
    persona.jobTitles.some((wanted) => contains(title, wanted)) &&
    !persona.excludeJobTitles.some((unwanted) => contains(title, unwanted)) &&
    isAt(world.known('person', personRef)?.geo, persona.locations) &&
    (persona.seniorities.length === 0 ||
      persona.seniorities.includes(seniorityOf(position?.seniority) ?? '?'))
  );
}

/** D-19, for a company that is not covered. */
export function isInMarket(company: Observed, { locations, headcounts, industries }: LaunchPersona): boolean {
  const isAsLarge =
    headcounts.length === 0 ||
    headcounts.some((range) => {
      const [least, most = '999999999'] = range.replace(/[ ,+]/g, '').split('-');
      const { employees, employee_range } = company;
      if (typeof employees === 'number') return employees >= Number(least) && employees <= Number(most);
      return (employee_range ?? '').replace(/[ ,]/g, '') === range.replace(/[ ,]/g, '');
    });
  return (
    (company.locations ?? []).some((place: Observed) => isAt(place, locations)) &&
    isAsLarge &&
    (industries.length === 0 || industries.some((industry) => contains(company.industry, industry)))
  );
}

/** D-08, D-09: the value of a finding about this company and lead, and whether it is paid. */
export function worth(
  world: World,
  { persona, covered, listed }: NaiveLaunch,
  {
    company,
    lead,
    isDeparture = false,
  }: { company: string | null; lead: string | null; isDeparture?: boolean },
): { readonly priority: 1 | 2; readonly priced: boolean } {
  const isCovered = company !== null && covered.includes(company);
  const companies = listed?.companyRefs ?? [];
  const isOfMember =
    lead !== null &&
    ((listed?.personRefs ?? []).includes(lead) ||
      companies.includes(world.employer(lead) ?? '') ||
      (isDeparture && companies.includes(company ?? '')));
  const isSecond =
    persona !== null && lead !== null && !isCovered && !isOfMember && !matchesPersona(world, lead, persona);
  return { priority: isSecond ? 2 : 1, priced: !isSecond && !isCovered };
}

/** The accounts to which a launch's audiences limit it; null: no limit (D-30, D-32). */
export function accountsOf({ audiences, topAccounts, covered }: NaiveLaunch): readonly string[] | null {
  const [top, paid] = [audiences.includes('top_accounts'), audiences.includes('covered_accounts')];
  if (top && paid) return topAccounts.filter((ref) => covered.includes(ref));
  return top ? topAccounts : paid ? covered : null;
}

/** A person as payloads show it. */
export function shownPerson(world: World, ref: string) {
  const { first_name = null, last_name = null, headline = null, handle } = world.known('person', ref);
  const full_name = [first_name, last_name].filter((name) => name !== null && name !== '').join(' ');
  return {
    full_name: full_name === '' ? null : full_name,
    headline,
    network_url: `https://n.example/in/${handle}`,
  };
}
