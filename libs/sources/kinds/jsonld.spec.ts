import * as fc from 'fast-check';
import { MalformedAnswer } from '../answer-fields.js';
import type { ParseOf } from '../source-kind.js';
import { whole } from '../pieces.js';
import { readSource } from '../read-source.js';
import { readingWith, sampleAnswer, sampleSource } from '../testing/answers.js';
import { jsonld } from './jsonld.js';

const SITEMAP = 'https://acme.example/sitemap.xml';
const of = sampleSource(SITEMAP, SITEMAP);
const posting = {
  '@context': 'https://schema.org/',
  '@type': 'JobPosting',
  title: 'CRM Engineer',
  description: '<p>Build CRM</p>',
  datePosted: '2026-02-01',
  identifier: { '@type': 'PropertyValue', value: 'seven' },
  jobLocation: {
    '@type': 'Place',
    address: { addressLocality: 'Paris', addressCountry: { name: 'France' } },
  },
  jobLocationType: 'TELECOMMUTE',
  baseSalary: { currency: 'EUR', value: { minValue: '50,000', maxValue: 60000, unitText: 'YEAR' } },
};
const page = (...data: readonly unknown[]): string =>
  `<!doctype html><html><head>${data.map((one) => `<script type="application/ld+json">${JSON.stringify(one)}</script>`).join('')}</head></html>`;
const sitemap = (...addresses: readonly string[]): string =>
  `<?xml version="1.0"?><urlset>${addresses.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`;

/** Reads a site with these pages; `null` is 404. */
async function reading(
  pages: Readonly<Record<string, string | null>>,
  parts: Partial<ParseOf> = {},
  known: readonly string[] = [],
): Promise<{ readonly read: object; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const by = readingWith(async (url) => {
    asked.push(url);
    return sampleAnswer(url, pages[url], {
      validators: { etag: null, lastModified: null },
      sentAtMs: Date.parse('2026-02-10T00:00:00Z') + asked.length,
    });
  });
  const read = await readSource(jsonld, { ...of, ...parts }, { ...by, known });
  // Lines can be read only once; here they are collected in a list.
  const shown = read.outcome === 'read' ? { ...read, lines: (await whole(read.lines)).items } : read;
  return { read: shown, asked };
}

describe('postings on pages of a careers site', () => {
  it('are found in JSON-LD at any place of a page', () => {
    for (const data of [
      posting,
      [posting],
      { '@graph': [{ '@type': 'Organization' }, posting] },
      { ...posting, '@type': ['Thing', 'http://schema.org/JobPosting'] },
    ]) {
      const { lines } = jsonld.parse(page({ '@type': 'WebPage' }, data), {
        ...of,
        url: 'https://acme.example/j/7',
      });
      expect(lines).toMatchObject([
        {
          kind: 'job_posting',
          ref: `jsonld:${SITEMAP}:seven`,
          company_ref: 'c:acme',
          title: 'CRM Engineer',
          description: 'Build CRM',
          url: 'https://acme.example/j/7',
          posted_at: '2026-02-01T00:00:00.000Z',
          location: 'Paris, France',
          workplace: 'remote',
          salary: { currency: 'EUR', min: 50_000, max: 60_000, interval: 'year' },
        },
      ]);
    }
  });

  it('are found behind letters that are longer in lower case, up to the end of their script in any case', () => {
    const body = page(posting)
      .replace('<head>', '<head><title>İstanbul, İzmir</title>')
      .replace('</script>', '</SCRIPT>');
    const { lines, unreadable } = jsonld.parse(body, { ...of, url: 'https://acme.example/j/7' });
    expect(lines).toMatchObject([{ title: 'CRM Engineer' }]);
    expect(unreadable).toBe(0);
  });

  it('have all places that they name, in any notation', () => {
    const address = { '@type': 'PostalAddress', addressLocality: 'Paris', addressCountry: 'FR' };
    for (const [jobLocation, location] of [
      [{ address: [address, { ...address, addressLocality: 'Lyon' }] }, 'Paris, FR; Lyon, FR'],
      [[{ address }, { address }, { address: 'Nice' }], 'Paris, FR; Nice'],
      [{ name: 'Anywhere', address: { streetAddress: 'x' } }, 'Anywhere'],
      [{ address: { addressCountry: { '@type': 'Country', name: 'France' } } }, 'France'],
      [{ address: [] }, null],
    ] as const) {
      const [line] = jsonld.parse(page({ ...posting, jobLocation }), of).lines;
      expect(line?.['location']).toBe(location);
    }
  });

  it('have a salary in any notation, and none that is not above zero', () => {
    const paid = { currency: 'EUR', min: 50_000, max: 50_000, interval: null };
    for (const [given, salary] of [
      [{ baseSalary: { currency: 'EUR', value: 50_000 } }, paid],
      [{ baseSalary: { currency: 'EUR', value: '50,000' } }, paid],
      [{ baseSalary: { value: { value: 50_000 } }, salaryCurrency: 'EUR' }, paid],
      [{ baseSalary: { currency: 'EUR', value: { minValue: 50_000 } } }, { ...paid, max: null }],
      [{ baseSalary: { currency: 'EUR', minValue: 0, maxValue: 50_000 } }, { ...paid, min: null }],
      [{ baseSalary: { currency: 'EUR', value: 50_000, unitText: 'month' } }, { ...paid, interval: 'month' }],
      [{ baseSalary: { currency: 'EUR', value: 50_000, unitText: 'PIECE' } }, paid],
      [{ baseSalary: { currency: 'EUR', value: { minValue: 0, maxValue: -5 } } }, null],
      [{ baseSalary: { currency: 'EUR', value: 0 } }, null],
      [{ baseSalary: { currency: 'EUR', value: -5 } }, null],
      [{ baseSalary: { currency: 'EUR', value: 'much' } }, null],
      [{ baseSalary: undefined }, null],
    ] as const) {
      const [line] = jsonld.parse(page({ ...posting, ...given }), of).lines;
      expect([given, line?.['salary']]).toEqual([given, salary]);
    }
  });

  it('are found by the sitemap, one page after the other', async () => {
    const pages = {
      [SITEMAP]: sitemap(
        'https://acme.example/about',
        'https://acme.example/jobs/1',
        'https://acme.example/jobs/2',
      ),
      'https://acme.example/about': page(),
      'https://acme.example/jobs/1': page({ ...posting, identifier: '1' }),
      'https://acme.example/jobs/2': null,
    };
    const { read } = await reading(pages);
    expect(read).toMatchObject({
      outcome: 'read',
      items: 1,
      lines: [{ line: { ref: `jsonld:${SITEMAP}:1` } }],
      // One 404 proves nothing: missing postings are closed if the next reading lacks them too.
      isPaged: true,
    });
    const steady = await reading({ ...pages, 'https://acme.example/jobs/2': page() });
    expect(steady.read).toMatchObject({ outcome: 'read', items: 1, isPaged: false });
    const chosen = await reading(pages, { match: '/jobs/' });
    expect(chosen.asked).toEqual([SITEMAP, 'https://acme.example/jobs/1', 'https://acme.example/jobs/2']);
  });

  it('SRC-06 leave a doubt only if a page that showed one shows none, or one that cannot be read', async () => {
    const [one, two] = ['https://acme.example/jobs/1', 'https://acme.example/jobs/2'] as const;
    const broken = page(posting).replace('"title":', '"title"');
    const unsure = async (second: string, known: readonly string[]) => {
      const { read } = await reading(
        { [SITEMAP]: sitemap(one, two), [one]: page(posting), [two]: second },
        {},
        known,
      );
      return Reflect.get(read, 'isPaged');
    };
    expect(await unsure(page({ ...posting, identifier: 'eight' }), [one, two])).toBe(false);
    expect(await unsure(page(), [one])).toBe(false);
    expect(await unsure(page(), [one, two])).toBe(true);
    expect(await unsure(broken, [one, two])).toBe(true);
    expect(await unsure(broken, [one])).toBe(false);
  });

  it('are read although a script breaks a line inside of a text, or is within a comment', () => {
    for (const body of [
      page(posting).replace('CRM Engineer', 'CRM\nEngineer'),
      page(posting).replace('ld+json">', 'ld+json"><!--').replace('</script>', '--></script>'),
      page(posting).replace('ld+json">', 'ld+json">/*<![CDATA[*/').replace('</script>', '/*]]>*/</script>'),
    ])
      expect(jsonld.parse(body, of)).toMatchObject({ lines: [{ title: 'CRM Engineer' }], unreadable: 0 });
  });

  it('are found by a sitemap of sitemaps', async () => {
    const { read } = await reading({
      [SITEMAP]: '<sitemapindex><sitemap><loc>https://acme.example/jobs.xml</loc></sitemap></sitemapindex>',
      'https://acme.example/jobs.xml': sitemap('https://acme.example/jobs/1'),
      'https://acme.example/jobs/1': page(posting),
    });
    expect(read).toMatchObject({ outcome: 'read', items: 1 });
  });

  it('are gone after their last valid day', async () => {
    const valid = (validThrough: string) => reading({ [SITEMAP]: page({ ...posting, validThrough }) });
    expect((await valid('2026-02-10')).read).toMatchObject({ items: 1 });
    expect((await valid('2026-02-09')).read).toMatchObject({ items: 0, lines: [], refs: [] });
    expect((await valid('some day')).read).toMatchObject({ items: 1 });
  });

  it('SRC-06 are listed if one of their pages is valid, in any order of the pages', async () => {
    const [en, de] = ['https://acme.example/en/7', 'https://acme.example/de/7'] as const;
    const pages = {
      [en]: page({ ...posting, validThrough: '2026-03-01' }),
      [de]: page({ ...posting, validThrough: '2026-01-01' }),
    };
    for (const order of [
      [en, de],
      [de, en],
    ]) {
      const { read } = await reading({ [SITEMAP]: sitemap(...order), ...pages });
      const ref = `jsonld:${SITEMAP}:seven`;
      expect(read).toMatchObject({ items: 1, refs: [ref], lines: [{ line: { ref, url: en } }] });
    }
  });

  it('SRC-06 are an incomplete reading if one page cannot be read', async () => {
    const { read } = await reading({
      [SITEMAP]: sitemap('https://acme.example/jobs/1', 'https://acme.example/jobs/2'),
      'https://acme.example/jobs/1': page(posting),
    });
    expect(read).toMatchObject({ outcome: 'failed', why: 'https://acme.example/jobs/2: answered 500' });
  });

  it('are no reading if no page answered', () => {
    for (const body of ['', 'nope', '{"a":1}', '<?xml version="1.0"?><rss></rss>'])
      expect(() => [body, jsonld.parse(body, of)]).toThrow(MalformedAnswer);
    expect(jsonld.parse(page(), of)).toMatchObject({ items: 0, lines: [] });
  });

  it('SRC-06 are no empty list if none can be read', async () => {
    for (const broken of [
      page(posting).replace('"title":', '"title"'),
      page(posting).slice(0, page(posting).indexOf('datePosted')),
    ])
      expect((await reading({ [SITEMAP]: broken })).read).toMatchObject({
        outcome: 'failed',
        why: 'shows no posting, and a JobPosting that is no JSON',
      });
    const other = page({ '@type': 'Organization' }).replace('"Organization"', 'Organization');
    expect((await reading({ [SITEMAP]: other })).read).toMatchObject({ outcome: 'read', items: 0 });
  });

  it('never crash on any JSON-LD', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const odd = { ...posting, baseSalary: value, jobLocation: value, identifier: value, url: text };
        for (const line of jsonld.parse(page(value, odd, { '@graph': value }), of).lines)
          expect([line?.['title'], line?.ref].map((one) => typeof one)).toEqual(['string', 'string']);
      }),
    );
  });
});
