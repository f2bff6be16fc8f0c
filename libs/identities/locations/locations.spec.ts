import { countriesOfLocation } from './countries-of-location.js';
import { countryMatcher, placeMatcher } from './places.js';

const seen = (city: string): readonly string[] =>
  city === 'bielsk' ? ['PL'] : city === 'twin' ? ['US', 'CA'] : [];
const of = (location: string): string => countriesOfLocation(location, seen).join(' ');

describe('OP-52 the countries of a location', () => {
  it('are recognised by ISO 3166 code, of two letters or three, in any case', () => {
    expect(['FR', 'fr', 'FRA', 'deu', ' jp '].map(of)).toEqual(['FR', 'FR', 'FR', 'DE', 'JP']);
  });

  it('are recognised by English name', () => {
    expect(['France', 'germany', 'South Korea', 'Côte d’Ivoire', "cote d'ivoire", 'Türkiye'].map(of)).toEqual(
      ['FR', 'DE', 'KR', 'CI', 'CI', 'TR'],
    );
  });

  it('are recognised by the name of Intl, of the standard and of common use, and only those of the standard', () => {
    const names = ['Bosnia & Herzegovina', 'Brunei Darussalam', 'Democratic Republic of the Congo', 'Kosovo'];
    expect(names.map(of)).toEqual(['BA', 'BN', 'CD', '']);
  });

  it('are recognised by alias: USA, UK, Holland', () => {
    expect(['USA', 'UK', 'Holland', 'U.S.', 'Great Britain', 'Czech Republic', 'UAE'].map(of)).toEqual([
      'US',
      'GB',
      'NL',
      'US',
      'GB',
      'CZ',
      'AE',
    ]);
  });

  it('are recognised by the usual name of a country that the standard and Intl name otherwise', () => {
    expect(
      ['Turkey', 'Istanbul, Turkey', 'Macedonia', 'DR Congo', 'Republic of Korea', 'Slovak Republic'].map(of),
    ).toEqual(['TR', 'TR', 'MK', 'CD', 'KR', 'SK']);
    expect(['The Bahamas', 'the Gambia', 'The Philippines'].map(of)).toEqual(['BS', 'GM', 'PH']);
  });

  it('of a multi-country region are all of its countries', () => {
    expect(of('DACH')).toBe('AT CH DE');
    expect(of('benelux')).toBe('BE LU NL');
    expect(of('European Union').split(' ').length).toBe(27);
    expect(of('EU')).toBe(of('European Union'));
    expect(of('LATAM')).toBe(of('Latin America'));
    const holds = {
      Europe: 'FR GB UA',
      EMEA: 'FR AE ZA EG IR',
      Nordics: 'DK FI IS NO SE',
      APAC: 'JP IN AU SG',
    };
    for (const [region, codes] of Object.entries({
      ...holds,
      LATAM: 'BR MX AR',
      'North America': 'US CA MX',
    }))
      expect([region, codes.split(' ').filter((code) => !of(region).split(' ').includes(code))]).toEqual([
        region,
        [],
      ]);
    for (const [region, code] of [
      ['Europe', 'US'],
      ['EMEA', 'IN'],
      ['APAC', 'AE'],
      ['LATAM', 'US'],
    ] as const)
      expect(of(region).split(' ')).not.toContain(code);
  });

  it('are recognised by US state and common sub-division', () => {
    expect(['California', 'New York', 'Ontario', 'Bayern', 'Lombardia', 'Île-de-France'].map(of)).toEqual([
      'US',
      'US',
      'CA',
      'DE',
      'IT',
      'FR',
    ]);
  });

  it('are recognised by the code of a sub-division of the US or Canada alone', () => {
    expect(['TX', 'ON', 'Austin, TX', 'Toronto, ON'].map(of)).toEqual(['US', 'CA', 'US', 'CA']);
    // NW is a code of German law (Nordrhein-Westfalen) and of no North American state.
    expect(of('NW')).toBe('');
  });

  it('are recognised by capital and by city of at least half a million people, the largest of its name', () => {
    expect(
      ['Paris', 'Berlin', 'Mumbai', 'Vaduz', 'São Paulo', 'Sao Paulo', 'London', 'Portland'].map(of),
    ).toEqual(['FR', 'DE', 'IN', 'LI', 'BR', 'BR', 'GB', 'US']);
  });

  it('are recognised by the largest city of a name, and not by a smaller city that is no capital', () => {
    expect(['Santiago', 'San Jose', 'Hyderabad', 'Newcastle'].map(of)).toEqual(['CL', 'US', 'IN', 'AU']);
    // It has exactly half a million people.
    expect(of('Shuangyashan')).toBe('CN');
    expect(of('Heidelberg')).toBe('');
  });

  it('are recognised by a city with and without its accents, and by a capital that the map of cities lacks', () => {
    const cities = ['Reykjavík', 'Reykjavik', 'Kobenhavn', 'Brasília', 'Andorra la Vella', 'Plymouth'];
    expect(cities.map(of)).toEqual(['IS', 'IS', 'DK', 'BR', 'AD', 'MS']);
  });

  it('are those of a state of the US that another country has too, and none of a name of several others', () => {
    expect(['Florida', 'Maryland', 'Montana', 'Saint George'].map(of)).toEqual(['US', 'US', 'US', '']);
  });

  it('are recognised by every city that the network has seen, in each country that it was seen in', () => {
    expect([of('Bielsk'), of('Twin')]).toEqual(['PL', 'CA US']);
    expect(countriesOfLocation('Bielsk')).toEqual([]);
  });

  it('of text with commas are those of its last part that is known', () => {
    expect(
      ['Paris, France', 'Paris, Texas', 'Springfield, Atlantis, Spain', 'Berlin, Remote', ' , France, '].map(
        of,
      ),
    ).toEqual(['FR', 'US', 'ES', 'DE', 'FR']);
  });

  it('are those of the first that matches: region, country code, country, sub-division, its code, city, city seen', () => {
    // Georgia is a country before it is a state; CA is Canada before it is California; IN is India before Indiana.
    expect(['Georgia', 'CA', 'IN'].map(of)).toEqual(['GE', 'CA', 'IN']);
    expect(countriesOfLocation('Paris', () => ['US'])).toEqual(['FR']);
    expect(countriesOfLocation('DACH', () => ['US'])).toEqual(['AT', 'CH', 'DE']);
  });

  it('of Remote, Atlantis and nothing are none', () => {
    for (const nowhere of ['Remote', 'Atlantis', '', ' , ', 'World', 'constructor', '__proto__'])
      expect([nowhere, of(nowhere)]).toEqual([nowhere, '']);
  });
});

describe('D-21 a wanted country', () => {
  it('is the name, the ISO code or the English name of the code, folded', () => {
    const isFrench = countryMatcher(['FRANCE']);
    expect(isFrench({ country: 'france' })).toBe(true);
    expect(isFrench({ countryCode: 'FR' })).toBe(true);
    expect(isFrench({ country: 'Frankreich', countryCode: 'fr' })).toBe(true);
    expect(isFrench({ country: 'Frankreich' })).toBe(false);
    expect(countryMatcher(['fr'])({ countryCode: 'FR' })).toBe(true);
  });

  it('is any name by which a location is known (OP-52), of the ISO code of the place', () => {
    const london = { city: 'London', country: 'United Kingdom', countryCode: 'GB' };
    for (const name of ['UK', 'U.K.', 'gbr', 'Great Britain']) {
      expect([name, countryMatcher([name])(london)]).toEqual([name, true]);
      expect([name, placeMatcher([`London, ${name}`])(london)]).toEqual([name, true]);
      expect([name, countryMatcher([name])({ country: 'United States', countryCode: 'US' })]).toEqual([
        name,
        false,
      ]);
    }
    expect(placeMatcher(['USA'])({ country: 'United States', countryCode: 'us' })).toBe(true);
    // A name without a code is only compared as text.
    expect(countryMatcher(['UK'])({ country: 'United Kingdom' })).toBe(false);
    expect(placeMatcher(['Georgia'])({ region: 'Georgia', countryCode: 'US' })).toBe(true);
    expect(
      placeMatcher(['Tbilisi, Georgia'])({ city: 'Atlanta', region: 'Georgia', countryCode: 'US' }),
    ).toBe(false);
  });

  it('D-11 is never where nothing is known', () => {
    for (const place of [
      null,
      {},
      { country: null, countryCode: '' },
      { countryCode: 'zz' },
      { countryCode: '??' },
    ])
      expect(countryMatcher(['', 'France'])(place)).toBe(false);
  });
});

describe('D-22 a wanted location', () => {
  const lyon = { city: 'Lyon', region: 'Auvergne-Rhône-Alpes', country: 'France', countryCode: 'FR' };
  const isAt = (location: string, place: Parameters<ReturnType<typeof placeMatcher>>[0] = lyon): boolean =>
    placeMatcher([location])(place);

  it('has every part in one and the same place', () => {
    for (const location of ['lyon', 'Lyon, France', 'FR', 'France, Lyon', 'Auvergne-Rhône-Alpes, fr'])
      expect([location, isAt(location)]).toEqual([location, true]);
    for (const location of ['Paris', 'Lyon, Spain', 'Paris, France', '', ','])
      expect(isAt(location)).toBe(false);
    expect(placeMatcher(['Paris', 'Lyon'])(lyon)).toBe(true);
    expect(placeMatcher([])(lyon)).toBe(false);
  });

  it('is met by any country code of a multi-country region', () => {
    for (const location of ['Europe', 'EMEA', 'European Union', 'Lyon, Europe'])
      expect(isAt(location)).toBe(true);
    for (const location of ['DACH', 'Paris, Europe', 'APAC']) expect(isAt(location)).toBe(false);
    expect(isAt('DACH', { countryCode: 'at' })).toBe(true);
    // The country code decides, not the name.
    expect(isAt('DACH', { country: 'Austria' })).toBe(false);
    expect(isAt('Europe', {})).toBe(false);
  });
});
