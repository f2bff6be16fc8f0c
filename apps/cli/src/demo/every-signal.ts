import { renderTable } from '../print-result.js';
import { styled } from '../styled.js';
import { agree } from './agreement.js';
import type { Json } from './demo-service.js';
import { runToItsEnd, type Scene } from './demo-run.js';
import {
  fundings,
  growing,
  hiringWaves,
  managedPostings,
  mentioningPostings,
  moved,
  offices,
  postings,
  type Expected,
  type Sample,
} from './expected-signals.js';

type Watch = {
  readonly template: string;
  readonly parameters: object;
  /** What it should find, counted by hand. */
  readonly expected: (sample: Sample) => Expected;
  /** Why a detection is one, from its payload. */
  readonly why: (data: Json) => string;
};

const TITLES = ['CRM', 'sales', 'data', 'revenue'];
const posting = ({ job_posting: { title, location } }: Json): string => `“${title}” in ${location}`;
const career = ({ previous, current }: Json): string =>
  `${previous?.title ?? '?'} → ${current.title}, ${current.company_name}`;

const WATCHES: readonly Watch[] = [
  {
    template: 'new-job-posting',
    parameters: { job_titles: TITLES },
    expected: (sample) => postings(sample, TITLES),
    why: posting,
  },
  {
    template: 'keywords-in-job-postings',
    parameters: { tracking_keywords: ['CRM'] },
    expected: (sample) => mentioningPostings(sample, ['CRM']),
    why: (data) => `${posting(data)} names ${data.keywords_found.join(', ')}`,
  },
  {
    template: 'hiring-manager-identified',
    parameters: { job_titles: TITLES },
    expected: (sample) => managedPostings(sample, TITLES),
    why: (data) => `${data.hiring_manager.full_name} hires ${posting(data)}`,
  },
  {
    template: 'job-posting-insight',
    parameters: { topic: 'CRM migration' },
    expected: (sample) => hiringWaves(sample, ['CRM', 'migration'], 2),
    why: ({ summary }) => summary,
  },
  {
    template: 'headcount-growth',
    parameters: { growth_percent: 25, over_months: 6 },
    expected: (sample) => growing(sample, 25),
    why: ({ answer }) => answer,
  },
  {
    template: 'funding-announced',
    parameters: {},
    expected: fundings,
    why: ({ answer }) => answer,
  },
  {
    template: 'new-location-opened',
    parameters: { countries: ['United Kingdom', 'Germany', 'Spain'] },
    expected: (sample) => offices(sample, ['United Kingdom', 'Germany', 'Spain']),
    why: ({ answer }) => answer,
  },
  {
    template: 'new-hire-in-target-role',
    parameters: {},
    expected: (sample) => moved(sample, 'new_company'),
    why: career,
  },
  {
    template: 'promotion-in-target-role',
    parameters: {},
    expected: (sample) => moved(sample, 'promotion'),
    why: career,
  },
];

export type Tally = { readonly movements: number; readonly credits: number };

/** Sets up a watch for each kind of signal, runs it, shows what it found, what that cost and why. */
export async function findEverySignal(scene: Scene, sample: Sample): Promise<Tally> {
  const { service, apiKey } = scene;
  const { data: templates } = await service.api(apiKey, 'GET /api/v3/signal-templates?page_size=100');
  const rows: Json[] = [];
  const types = new Set<string>(['keywordDetection']);
  const tally = { movements: 0, credits: 0 };
  for (const { template: key, parameters, expected, why } of WATCHES) {
    const template = templates.find((one: Json) => one.key === key);
    const price: number = template.pricing.discovery.credits;
    const { data: setup } = await service.api(apiKey, 'POST /api/v3/signal-setups', {
      signal_template_id: template.id,
      parameters,
    });
    const runs = await runToItsEnd(scene, setup.id);
    const { subjects, paid } = expected(sample);
    const sum = (field: string): number => runs.reduce((total, run) => total + run[field], 0);
    agree(`matches of ${key}`, sum('matches_found'), subjects.length);
    agree(`credits of ${key}`, sum('credits_spent'), paid * price);
    const { data: count } = await service.api(apiKey, 'POST /api/v2/workspace/signals/count', {
      agent_id: setup.id,
    });
    agree(`detections of ${key}`, count.count, subjects.length);
    const question = { agent_id: setup.id, limit: 1 };
    const { data: found } = await service.api(apiKey, 'POST /api/v2/workspace/signals/query', question);
    const [newest] = found;
    if (newest === undefined) throw new Error(`the sample has nothing for ${key}`);
    const company = await service.api(apiKey, `GET /api/v2/companies/${newest.company_id}`);
    types.add(newest.signal_type);
    tally.movements += paid;
    tally.credits += paid * price;
    rows.push({
      signal: newest.signal_type,
      template: key,
      found: subjects.length,
      each: price,
      cost: paid * price,
      'newest about': company.name,
      why: why(newest.data).replace(/\s+/g, ' ').slice(0, 60),
    });
  }
  process.stdout.write(
    `\n${styled('bold', `${types.size} types of signals, those about keywords included: what each cost, and why the newest is one:`)}\n`,
  );
  process.stdout.write(`${renderTable(rows)}\n`);
  return tally;
}
