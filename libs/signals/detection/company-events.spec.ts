import type { JsonObject } from '#kernel/values/json.js';
import type { TemplateDetector } from '#catalogue/domain/templates/catalogue.events.js';
import type {
  CompanyEventKind,
  CompanyEventSearch,
  ObservedCompanyEvent,
} from '#network/network-source.port.js';
import { positionOf } from '#network/position.js';
import { detectorOfTemplate } from './detectors.js';
import { fundingDetector } from './funding.detector.js';
import { newLocationDetector } from './new-location.detector.js';
import { renewalDetector } from './renewal.detector.js';
import { sampleCompany, sampleRun, type SampleRun } from './testing/sample-run.js';

const acme = sampleCompany({ ref: 'c:acme' });

function eventOf(event: CompanyEventKind, fields: JsonObject, companyRef = 'c:acme'): ObservedCompanyEvent {
  const at = '2026-01-02T00:00:00.000Z';
  const ref = `e:${event}`;
  const company = companyRef === 'c:unknown' ? null : { ...acme, ref: companyRef };
  const position = positionOf({ at: Date.parse(at), ref, tie: '' });
  return { position, reading: null, ref, rev: 1, event, companyRef, company, fields, occurredAt: at };
}

/** A run on one event of a covered company; `asked` has the queries it made. */
function runOn(event: ObservedCompanyEvent, run: SampleRun) {
  const asked: CompanyEventSearch[] = [];
  const companyEvents = async (search: CompanyEventSearch) => {
    asked.push(search);
    return { items: search.events.includes(event.event) ? [event] : [], next: null };
  };
  const covered = async () => new Set(['c:acme', 'c:unknown']);
  return {
    asked,
    run: sampleRun({ signalTypes: ['deepSearch'], source: { companyEvents }, watched: { covered }, ...run }),
  };
}

describe('the new location detector', () => {
  const found = async (
    fields: JsonObject,
    countries: readonly string[] = ['France'],
    companyRef?: string,
  ) => {
    const { run } = runOn(eventOf('location_opened', fields, companyRef), {
      templateKey: 'new-location-opened',
      parameters: { countries },
    });
    return (await newLocationDetector.find(run, null, 50)).matches;
  };

  it('reports the place, with the text that names it', async () => {
    const url = 'https://www.network.example/posts/4';
    const fields = {
      city: 'Lyon',
      country: 'France',
      country_code: 'FR',
      url,
      extract: 'Acme opens in Lyon',
    };
    const [match] = await found(fields);
    expect(match).toMatchObject({
      subject: 'company_event:e:location_opened',
      signalDate: '2026-01-02T00:00:00.000Z',
      sourceUrl: url,
      excerpt: 'Acme opens in Lyon',
    });
    expect(match?.data).toEqual({
      question: 'new-location-opened',
      answer: 'Lyon, France',
      evidence: [{ url, extract: 'Acme opens in Lyon' }],
      facts: { city: 'Lyon', region: null, country: 'France', country_code: 'FR' },
    });
  });

  it('D-21 a country is wanted by its name or its code', async () => {
    expect(await found({ country_code: 'fr' })).toHaveLength(1);
    expect(await found({ country: 'FRANCE' }, ['france'])).toHaveLength(1);
    expect(await found({ country: 'Spain' })).toEqual([]);
  });

  it('D-11 D-72 ignores an unknown country, a wrong type and an unknown company', async () => {
    expect(await found({ city: 'Lyon' })).toEqual([]);
    expect(await found({ country: 33, country_code: ['FR'] })).toEqual([]);
    expect(await found({ country: 'France' }, ['France'], 'c:unknown')).toEqual([]);
  });

  it('D-72 leaves unknown parts out of the answer, and has no evidence without a text', async () => {
    const [match] = await found({ country_code: 'FR' });
    expect(match?.data).toMatchObject({ answer: null, evidence: [] });
  });
});

describe('the funding detector', () => {
  const found = async (fields: JsonObject, parameters: JsonObject = {}) => {
    const { run } = runOn(eventOf('funding', fields), { templateKey: 'funding-announced', parameters });
    return (await fundingDetector.find(run, null, 50)).matches;
  };

  it('reports the round and the amount', async () => {
    const [match] = await found({
      round: 'Series A',
      amount: 12_000_000,
      currency: 'eur',
      extract: 'Acme raises',
    });
    expect(match?.data).toEqual({
      question: 'funding-announced',
      answer: 'series_a, 12000000 EUR',
      evidence: [{ url: null, extract: 'Acme raises' }],
      facts: { round: 'series_a', amount: 12_000_000, currency: 'EUR' },
    });
  });

  it('D-35 shows the beginning of a long text as evidence, and never a part of a link', async () => {
    const link = `https://www.network.example/${'p'.repeat(1_500)}`;
    const [match] = await found({ url: link, extract: 'é'.repeat(1_500) });
    expect(match?.data['evidence']).toEqual([{ url: null, extract: 'é'.repeat(280) }]);
    expect(match?.sourceUrl).toBeNull();
  });

  it('D-72 without conditions reports a round with no known facts', async () => {
    const [match] = await found({});
    expect(match?.data).toMatchObject({ answer: null, facts: { round: null, amount: null, currency: null } });
  });

  it('D-72 reads rounds in any spelling, and every round after series C is later', async () => {
    const isFound = async (round: string, wanted: string) =>
      (await found({ round }, { rounds: [wanted] })).length === 1;
    expect(await isFound('PRE-SEED', 'pre_seed')).toBe(true);
    expect(await isFound('series d', 'later')).toBe(true);
    expect(await isFound('Series H', 'later')).toBe(true);
    expect(await isFound('series b', 'series_a')).toBe(false);
    expect(await isFound('bridge', 'later')).toBe(false);
  });

  it('D-72 converts an amount in another currency by the reference rates; an amount equal to the limit passes', async () => {
    const isEnough = async (amount: unknown, currency: string) =>
      (await found({ amount: Number(amount), currency }, { min_amount: 100, currency: 'EUR' })).length === 1;
    expect(await isEnough(100, 'EUR')).toBe(true);
    expect(await isEnough(110, 'USD')).toBe(true);
    expect(await isEnough(109.99, 'USD')).toBe(false);
    expect(await isEnough(86, 'GBP')).toBe(true);
    expect(await isEnough(85, 'GBP')).toBe(false);
    expect(await isEnough(1_000_000, 'CHF')).toBe(false);
    expect(await found({ amount: '200', currency: 'EUR' }, { min_amount: 100, currency: 'EUR' })).toEqual([]);
  });

  it('D-72 compares amounts exactly, where floats would miss the limit', async () => {
    const isEnough = async (amount: number, min_amount: number) =>
      (await found({ amount, currency: 'EUR' }, { min_amount, currency: 'USD' })).length === 1;
    expect(await isEnough(1_000_001, 1_100_001.1)).toBe(true);
    expect(await isEnough(1_000_001, 1_100_001.2)).toBe(false);
    expect(await isEnough(1, 1.1)).toBe(true);
  });

  it('D-72 reads an amount without a currency as EUR', async () => {
    const isEnough = async (amount: number, currency: string) =>
      (await found({ amount, currency }, { min_amount: 100 })).length === 1;
    expect(await isEnough(100, 'EUR')).toBe(true);
    expect(await isEnough(109, 'USD')).toBe(false);
  });

  it('D-38 serves a template that declares rounds or a least amount, or both', () => {
    const template = {
      kind: 'firmographic',
      signalTypes: ['deepSearch'],
      runs: ['single'],
      listType: null,
      requiresPersona: false,
      requiresTopAccounts: false,
    } satisfies TemplateDetector;
    const served = (...properties: string[]) =>
      detectorOfTemplate(template, {
        properties: Object.fromEntries(properties.map((property) => [property, {}])),
      })?.kind ?? null;
    expect(served('rounds')).toBe('funding');
    expect(served('min_amount')).toBe('funding');
    expect(served('rounds', 'min_amount')).toBe('funding');
    expect(served('currency')).toBeNull();
  });

  it('D-30 asks only for covered accounts in a pass', async () => {
    const { run, asked } = runOn(eventOf('funding', {}), {
      parameters: {},
      watched: { accounts: async () => ['c:acme'] },
    });
    expect((await fundingDetector.find(run, null, 50)).matches).toHaveLength(1);
    expect(asked).toMatchObject([{ companyRefs: ['c:acme'] }]);
  });
});

describe('the renewal detector', () => {
  const found = async (fields: JsonObject, run: SampleRun = {}) => {
    const observed = runOn(eventOf('renewal_due', { workspace_id: 1, ...fields }), {
      templateKey: 'customer-renewal-window',
      parameters: { days_before: 60 },
      watched: {
        members: async () => ({ companyRefs: ['c:acme', 'c:listed'], personRefs: [] }),
        accounts: async () => ['c:acme', 'c:covered'],
      },
      ...run,
    });
    const { matches } = await renewalDetector.find(observed.run, null, 50);
    return { matches, asked: observed.asked };
  };

  it('D-73 reports the date and the number of days left, as of now', async () => {
    const { matches, asked } = await found({ renewal_date: '2026-03-01', contract: 'Gold' });
    expect(matches).toMatchObject([
      { subject: 'renewal:c:acme:2026-03-01', signalDate: '2026-01-05T10:00:00.000Z', sourceUrl: null },
    ]);
    expect(matches[0]?.data).toEqual({
      question: 'customer-renewal-window',
      answer: '2026-03-01, in 55 days',
      evidence: [],
      facts: { renewal_date: '2026-03-01', days_left: 55, contract: 'Gold' },
    });
    // Listed and covered companies, from the start of today to the start of the last day.
    expect(asked).toMatchObject([
      {
        companyRefs: ['c:acme'],
        after: new Date('2026-01-04T23:59:59.999Z'),
        until: new Date('2026-03-06T00:00:00.000Z'),
      },
    ]);
  });

  it('D-73 does not report the renewal of another workspace, or of no workspace', async () => {
    const date = { renewal_date: '2026-03-01' };
    expect((await found({ ...date, workspace_id: 2 })).matches).toEqual([]);
    expect((await found({ ...date, workspace_id: '1' })).matches).toEqual([]);
  });

  it('D-73 reads nothing without a list, and without coverage', async () => {
    const date = { renewal_date: '2026-03-01' };
    const noList = { accounts: async () => ['c:acme'], members: async () => null };
    const noCoverage = { members: async () => ({ companyRefs: ['c:acme'], personRefs: [] }) };
    for (const watched of [noList, noCoverage]) {
      expect(await found(date, { watched })).toEqual({ matches: [], asked: [] });
    }
  });
});
