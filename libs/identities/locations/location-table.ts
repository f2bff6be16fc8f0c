import { countries } from 'countries-list';
import { iso31661, iso31662 } from 'iso-3166';
import { Type } from '#kernel/values/schema.js';
import { guardOf } from '#kernel/values/schema-guard.js';
import { fold } from '#kernel/values/text-folding.js';
import { packageData } from './package-data.js';
import { multiCountryRegions } from './regions.js';

/** Common names of countries that the lists of the packages lack. */
const ALIASES: { readonly [name: string]: string } = {
  'u.s.a.': 'US',
  'u.s.': 'US',
  'united states of america': 'US',
  america: 'US',
  'u.k.': 'GB',
  'great britain': 'GB',
  britain: 'GB',
  // The name that Intl gave before Türkiye.
  turkey: 'TR',
  macedonia: 'MK',
  'dr congo': 'CD',
  'republic of korea': 'KR',
  'slovak republic': 'SK',
  'the bahamas': 'BS',
  'the gambia': 'GM',
  'the philippines': 'PH',
  holland: 'NL',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  uae: 'AE',
  'russian federation': 'RU',
  'republic of ireland': 'IE',
  korea: 'KR',
  'ivory coast': 'CI',
  burma: 'MM',
  swaziland: 'SZ',
  'cape verde': 'CV',
  'east timor': 'TL',
  'vatican city': 'VA',
};

/** Cities from this size on are in the table. */
const LARGE_CITY = 500_000;

const City = Type.Object({
  city: Type.String(),
  city_ascii: Type.String(),
  pop: Type.Number(),
  // A number for a place without a code of the standard.
  iso2: Type.Union([Type.String(), Type.Number()]),
});
const areCities = guardOf(Type.Array(City));

export type LocationTable = {
  /** Codes of countries, by the folded name of a multi-country region. */
  readonly regions: ReadonlyMap<string, readonly string[]>;
  /** Codes of countries by folded alpha-2 and alpha-3 code. */
  readonly countryCodes: ReadonlyMap<string, string>;
  /** Codes of countries by folded English name or alias. */
  readonly countryNames: ReadonlyMap<string, string>;
  /** Codes of countries by folded name of a sub-division. */
  readonly subdivisions: ReadonlyMap<string, string>;
  /** Codes of countries by folded code of a state of the US or a province of Canada. */
  readonly stateCodes: ReadonlyMap<string, string>;
  /** Codes of countries by folded name of a capital or large city: of cities of one name the largest. */
  readonly cities: ReadonlyMap<string, string>;
};

let table: LocationTable | null = null;

/** The table of OP-52, some ten thousand short names; built from maintained packages at the first call, which takes tens of milliseconds. */
export function locationTable(): LocationTable {
  table ??= makeTable();
  return table;
}

function makeTable(): LocationTable {
  const codes = new Set(iso31661.map(({ alpha2 }) => alpha2));
  const cities = citiesOf();
  return {
    regions: multiCountryRegions((code) => codes.has(code)),
    countryCodes: new Map(
      iso31661.flatMap(({ alpha2, alpha3 }) => [
        [fold(alpha2), alpha2],
        [fold(alpha3), alpha2],
      ]),
    ),
    countryNames: countryNames(codes),
    subdivisions: subdivisions(cities),
    stateCodes: new Map(
      iso31662
        .filter(({ code }) => isNorthAmerican(code))
        .map(({ code }) => [fold(code.slice(3)), code.slice(0, 2)]),
    ),
    cities: new Map([...cities].map(([name, { iso2 }]) => [name, iso2])),
  };
}

function countryNames(codes: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const add = (name: string | undefined, code: string): void => {
    for (const spelling of name === undefined ? [] : spellings(name))
      if (!names.has(spelling)) names.set(spelling, code);
  };
  for (const style of ['long', 'short'] as const) {
    const english = new Intl.DisplayNames(['en'], { type: 'region', style, fallback: 'none' });
    for (const code of codes) add(english.of(code), code);
  }
  for (const { alpha2, name } of iso31661) add(name, alpha2);
  for (const [code, { name }] of Object.entries(countries)) if (codes.has(code)) add(name, code);
  for (const [name, code] of Object.entries(ALIASES)) add(name, code);
  return names;
}

/** Capitals, and cities of at least half a million people; of one name the largest. */
function citiesOf(): ReadonlyMap<string, { readonly iso2: string; readonly pop: number }> {
  const all = packageData('city-timezones/data/cityMap.json');
  if (!areCities(all)) throw new Error('the map of cities has another shape');
  const capitals = new Map(Object.entries(countries).map(([code, { capital }]) => [code, fold(capital)]));
  const found = new Map<string, { readonly iso2: string; readonly pop: number }>();
  const add = (name: string, iso2: string, pop: number): void => {
    for (const spelling of spellings(name))
      if (pop > (found.get(spelling)?.pop ?? -1)) found.set(spelling, { iso2, pop });
  };
  for (const { city, city_ascii: ascii, iso2, pop } of all) {
    if (typeof iso2 !== 'string') continue;
    const names = city === ascii ? [city] : [city, ascii];
    if (pop < LARGE_CITY && !names.some((name) => fold(name) === capitals.get(iso2))) continue;
    for (const name of names) add(name, iso2, pop);
  }
  for (const [code, capital] of capitals) if (capital !== '' && !found.has(capital)) add(capital, code, 0);
  return found;
}

/**
 * All states of the US and provinces of Canada; elsewhere sub-divisions whose name only one country has, and no
 * capital or large city of another one: Portland is a parish of Jamaica, too.
 */
function subdivisions(cities: ReadonlyMap<string, { readonly iso2: string }>): ReadonlyMap<string, string> {
  const countriesOf = new Map<string, Set<string>>();
  const found = new Map<string, string>();
  for (const { code, name } of iso31662) {
    const country = code.slice(0, 2);
    for (const spelling of spellings(name)) {
      if (isNorthAmerican(code)) found.set(spelling, country);
      countriesOf.set(spelling, (countriesOf.get(spelling) ?? new Set()).add(country));
    }
  }
  for (const [spelling, countries] of countriesOf) {
    const [country] = countries;
    if (country === undefined || countries.size > 1 || found.has(spelling)) continue;
    if ((cities.get(spelling)?.iso2 ?? country) === country) found.set(spelling, country);
  }
  return found;
}

function isNorthAmerican(code: string): boolean {
  return code.startsWith('US-') || code.startsWith('CA-');
}

/** A character beyond ASCII. */
const ACCENTED = /[^\x00-\x7f]/;

/** As it is written, and without accents, as it is often typed. */
function spellings(name: string): readonly string[] {
  const folded = fold(name);
  if (!ACCENTED.test(name)) return [folded];
  const plain = fold(name.normalize('NFD').replace(/\p{M}/gu, ''));
  return folded === plain ? [folded] : [folded, plain];
}
