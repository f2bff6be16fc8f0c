import type { JsonObject } from '#kernel/values/json.js';
import type { JobPostingSearch, ObservedJobPosting } from '#network/network-source.port.js';
import type { Detector } from './detector.js';
import { hiringManagerDetector } from './hiring-manager.detector.js';
import { newJobPostingDetector } from './new-job-posting.detector.js';
import { sampleCompany, samplePerson, sampleRun } from './testing/sample-run.js';
import { samplePosting } from './testing/sample-texts.js';

const acme = sampleCompany({ ref: 'c:acme', name: 'Acme' });
const ana = samplePerson({ ref: 'p:ana', title: 'VP Sales', companyRef: 'c:acme' });

const posting = (ref: string, facts: Partial<ObservedJobPosting> = {}): ObservedJobPosting =>
  samplePosting({ ref, companyRef: 'c:acme', company: acme, ...facts });

async function found(
  detector: Detector,
  parameters: JsonObject,
  postings: readonly ObservedJobPosting[],
): Promise<readonly string[]> {
  const run = sampleRun({
    parameters,
    source: { jobPostings: async () => ({ items: postings, next: null }) },
    directory: { countryCodesOfCity: async (city) => (city === 'smallville' ? ['US'] : []) },
  });
  return (await detector.find(run, null, 50)).matches.map(({ subject }) => subject);
}

describe('new job postings', () => {
  const wanted = (parameters: object, ...postings: readonly ObservedJobPosting[]) =>
    found(newJobPostingDetector, { job_titles: ['crm'], ...parameters }, postings);

  it('D-20 are those whose title contains a wanted one, whatever they describe', async () => {
    expect(
      await wanted(
        {},
        posting('1'),
        posting('2', { title: 'Driver', description: 'Uses a CRM' }),
        posting('3', { title: null, description: 'crm' }),
        posting('4', { title: 'CRMs' }),
      ),
    ).toEqual(['job_posting:1']);
  });

  it('are shown with the hiring manager, and found without a known company', async () => {
    const run = sampleRun({
      parameters: { job_titles: ['crm'] },
      source: {
        jobPostings: async () => ({
          items: [posting('1', { hiringManager: ana }), posting('2', { company: null })],
          next: null,
        }),
      },
    });
    const { matches } = await newJobPostingDetector.find(run, null, 50);
    expect(matches[0]).toMatchObject({
      subject: 'job_posting:1',
      signalType: 'jobPosting',
      author: null,
      sourceUrl: 'https://www.network.example/jobs/1',
      excerpt: 'CRM admin',
      details: { job_title: 'CRM admin', action_date: '2026-01-03T09:00:00.000Z' },
      data: {
        job_posting: {
          title: 'CRM admin',
          url: 'https://www.network.example/jobs/1',
          location: null,
          posted_at: '2026-01-03T09:00:00.000Z',
          company_name: 'Acme',
        },
        keywords_found: null,
        hiring_manager: { full_name: 'ana', headline: null, network_url: ana.networkUrl },
      },
    });
    expect(matches[1]).toMatchObject({ company: null, priority: 1, priced: true });
  });

  it('D-11 OP-52 are at wanted places: all parts of one, or in a wanted country or region', async () => {
    const at = (...locations: readonly string[]) =>
      wanted(
        { locations },
        ...['Paris, France', 'Lyon', 'Berlin', 'Smallville', 'Nowhere'].map((location) =>
          posting(location, { location }),
        ),
        posting('unknown'),
      );
    expect(await at('Paris')).toEqual(['job_posting:Paris, France']);
    expect(await at('France, Paris')).toEqual(['job_posting:Paris, France']);
    expect(await at('france')).toEqual(['job_posting:Paris, France', 'job_posting:Lyon']);
    expect(await at('DACH', 'Lyon')).toEqual(['job_posting:Lyon', 'job_posting:Berlin']);
    expect(await at('US')).toEqual(['job_posting:Smallville']);
    expect(await at()).toHaveLength(6);
  });

  it('are narrowed to accounts if a launch is about accounts', async () => {
    const searches: JobPostingSearch[] = [];
    const run = sampleRun({
      parameters: { job_titles: ['crm'] },
      watched: { accounts: async () => ['c:acme'] },
      source: {
        jobPostings: async (search) => {
          searches.push(search);
          return { items: [], next: null };
        },
      },
    });
    await newJobPostingDetector.find(run, null, 50);
    expect(searches).toMatchObject([{ companyRefs: ['c:acme'], keywords: ['crm'] }]);
  });
});

describe('identified hiring managers', () => {
  const current = { ...ana.current, title: 'VP Sales', seniority: 'C-Suite' } as typeof ana.current;
  const chief = { ...ana, ref: 'p:chief', current };
  const wanted = (parameters: object, ...postings: readonly ObservedJobPosting[]) =>
    found(hiringManagerDetector, { job_titles: ['crm'], ...parameters }, postings);

  it('D-11 are known people, of a wanted seniority if one is wanted', async () => {
    const postings = [
      posting('1', { hiringManager: ana }),
      posting('2', { hiringManager: chief }),
      posting('3'),
      posting('4', { hiringManager: chief, title: 'Driver' }),
    ];
    expect(await wanted({}, ...postings)).toEqual(['job_posting:1', 'job_posting:2']);
    expect(await wanted({ seniority: [] }, ...postings)).toHaveLength(2);
    // D-23: one seniority is unknown, the other is spelled differently.
    expect(await wanted({ seniority: ['vp', 'c_suite'] }, ...postings)).toEqual(['job_posting:2']);
  });
});
