import { Type } from '#kernel/values/schema.js';
import { guardOf } from '#kernel/values/schema-guard.js';
import { fold } from '#kernel/values/text-folding.js';
import { packageData } from './package-data.js';

/** Regions that CLDR has no name for, of its regions and of countries. */
const OTHERS: { readonly [name: string]: readonly string[] } = {
  eu: ['EU'],
  // Europe, the Middle East and Africa: Western Asia and Iran; Egypt is in Africa.
  emea: ['150', '145', 'IR', '002'],
  'middle east': ['145', 'IR', 'EG'],
  dach: ['DE', 'AT', 'CH'],
  benelux: ['BE', 'NL', 'LU'],
  nordics: ['DK', 'FI', 'IS', 'NO', 'SE', 'AX', 'FO', 'GL', 'SJ'],
  'nordic countries': ['DK', 'FI', 'IS', 'NO', 'SE', 'AX', 'FO', 'GL', 'SJ'],
  scandinavia: ['DK', 'NO', 'SE'],
  // East, South and South-East Asia, and Oceania.
  apac: ['030', '034', '035', '009'],
  'asia pacific': ['030', '034', '035', '009'],
  'asia-pacific': ['030', '034', '035', '009'],
  latam: ['419'],
};
const WORLD = '001';

const isContainment = guardOf(
  Type.Object({
    supplemental: Type.Object({
      territoryContainment: Type.Record(Type.String(), Type.Object({ _contains: Type.Array(Type.String()) })),
    }),
  }),
);

/** Multi-country regions by their folded English name, each with its ISO country codes, sorted. */
export function multiCountryRegions(
  isCountry: (code: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const data = packageData('cldr-core/supplemental/territoryContainment.json');
  if (!isContainment(data)) throw new Error('the containment of territories has another shape');
  const { territoryContainment: contains } = data.supplemental;
  const englishName = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

  const countriesIn = (code: string): readonly string[] =>
    isCountry(code) ? [code] : (contains[code]?._contains ?? []).flatMap(countriesIn);
  const named = Object.keys(contains)
    .filter((code) => code !== WORLD && /^(\d{3}|EU)$/.test(code))
    .map((code): readonly [string | undefined, readonly string[]] => [englishName.of(code), [code]]);
  const regions = [...named, ...Object.entries(OTHERS)];
  return new Map(
    regions.flatMap(([name, codes]) =>
      name === undefined ? [] : [[fold(name), [...new Set(codes.flatMap(countriesIn))].sort()]],
    ),
  );
}
