import { renderTable } from '../print-result.js';
import { styled } from '../styled.js';
import { agree } from './agreement.js';
import type { Json } from './demo-service.js';
import { runToItsEnd, type Scene } from './demo-run.js';
import {
  engagement,
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
  /** The companies of its list, by handle. */
  readonly competitors?: readonly string[];
  /** The expected result of the independent count. */
  readonly expected: (sample: Sample) => Expected;
  /** Why a detection matched, from its payload. */
  readonly why: (data: Json) => string;
};

const TITLES = ['CRM', 'sales', 'data', 'revenue'];
const posting = ({ job_posting: { title, location } }: Json): string => `“${title}” in ${location}`;
const career = ({ previous, current }: Json): string =>
  `${previous?.title ?? '?'} → ${current.title}, ${current.company_name}`;

const COMPETITORS = ['rivalco', 'pipewise'];
const interaction = ({ interaction: { type, author }, post }: Json): string =>
  `${author.full_name}, ${author.role ?? '?'}: ${type} on “${post.extract.slice(0, 30)}…”`;

const WATCHES: readonly Watch[] = [
  {
    template: 'competitor-content-engagement',
    parameters: {},
    competitors: COMPETITORS,
    expected: (sample) => engagement(sample, COMPETITORS),
    why: interaction,
  },
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

export type DemoTally = { readonly movements: number; readonly credits: number };

/** Creates a setup for each kind of signal, runs it, and shows its signals, their price and their reason. */
export async function findEverySignal(scene: Scene, sample: Sample): Promise<DemoTally> {
  const { service, apiKey } = scene;
  const { data: templates } = await service.api(apiKey, 'GET /api/v3/signal-templates?page_size=100');
  const rows: Json[] = [];
  const quotes: Json[] = [];
  const types = new Set<string>(['keywordDetection']);
  const tally = { movements: 0, credits: 0 };
  for (const { template: key, parameters, competitors, expected, why } of WATCHES) {
    const template = templates.find((one: Json) => one.key === key);
    const price: number = template.pricing.discovery.credits;
    const list = competitors === undefined ? {} : { list_id: await competitorList(scene, competitors) };
    const { data: setup } = await service.api(apiKey, 'POST /api/v3/signal-setups', {
      signal_template_id: template.id,
      parameters: { ...parameters, ...list },
    });
    const { quote, runs, spent } = await runToItsEnd(scene, setup.id);
    const { subjects, paid } = expected(sample);
    const matches = runs.reduce((total, run) => total + run.matches_found, 0);
    agree(`matches of ${key}`, matches, subjects.length);
    agree(`credits of ${key}`, spent, paid * price);
    agree(`new ones in the quote of ${key}`, quote.new, subjects.length);
    agree(`credits in the quote of ${key}`, quote.credits_needed, paid * price);
    quotes.push({
      template: key,
      new: quote.new,
      priced: quote.priced,
      quoted: quote.credits_at_most,
      spent,
    });
    const all = { agent_id: setup.id, limit: 100 };
    const { data: found } = await service.api(apiKey, 'POST /api/v2/workspace/signals/query', all);
    agree(`detections of ${key}`, found.length, subjects.length);
    const top = { signal_setup_id: setup.id, limit: 100 };
    const { data: paidFor } = await service.api(apiKey, 'POST /api/v3/signals/query', top);
    agree(`signals of top priority of ${key}`, paidFor.length, paid);
    tally.movements += paid;
    tally.credits += paid * price;
    for (const type of new Set<string>(paidFor.map((one: Json) => one.signal_type))) {
      const isOne = (one: Json): boolean => one.signal_type === type;
      const newest = paidFor.find(isOne);
      const { data } = found.find(({ id }: Json) => id === newest.id);
      types.add(type);
      rows.push({
        signal: type,
        found: found.filter(isOne).length,
        paid: paidFor.filter(isOne).length,
        each: price,
        'newest about': newest.company?.name ?? '-',
        why: why(data).replace(/\s+/g, ' ').slice(0, 66),
      });
    }
  }
  process.stdout.write(
    `\n${styled('bold', `${types.size} types of signals, those about keywords included; why the newest of each is one, and what each paid one cost:`)}\n`,
  );
  process.stdout.write(`${renderTable(rows)}\n`);
  process.stdout.write(`\n${styled('bold', 'What each launch was quoted, and what it spent:')}\n`);
  process.stdout.write(`${renderTable(quotes)}\n`);
  return tally;
}

async function competitorList({ service, apiKey }: Scene, handles: readonly string[]): Promise<number> {
  const competitors = { type: 'competitor', name: 'Competitors' };
  const { data: list } = await service.api(apiKey, 'POST /api/v2/lists', competitors);
  await service.api(apiKey, `POST /api/v2/lists/company/${list.id}/members`, {
    members: handles.map((handle) => ({ network_handle: handle })),
  });
  return list.id;
}
