import type { JsonObject } from '#kernel/values/json.js';
import type { Salary, SalaryInterval, Workplace } from '#network/observation.js';
import {
  addressAt,
  itemId,
  jsonIn,
  listAt,
  memberAt,
  momentOf,
  numberAt,
  objectsIn,
  textAt,
} from '../answer-fields.js';
import type { BoardKind } from '../board-kind.js';

const INTERVALS: ReadonlyMap<string, SalaryInterval> = new Map([
  ['1 HOUR', 'hour'],
  ['1 DAY', 'day'],
  ['1 WEEK', 'week'],
  ['1 MONTH', 'month'],
  ['1 YEAR', 'year'],
]);

/** Ashby's public job posting API: the whole board in one answer. */
export const ashby: BoardKind = {
  name: 'ashby',
  terms: {
    url: 'https://developers.ashbyhq.com/docs/public-job-posting-api',
    verdict:
      'the documentation, read in a stored copy: published jobs, for careers pages, without a key; it says nothing of other readers',
    readOn: '2026-11-25',
    paceMs: 1_000,
  },
  boardAt(address) {
    const parts = address.pathname.split('/').filter(Boolean).map(decodeURIComponentOrNot);
    const name =
      address.hostname === 'jobs.ashbyhq.com'
        ? parts[0]
        : address.hostname === 'api.ashbyhq.com' && parts[1] === 'job-board'
          ? parts[2]
          : undefined;
    return name === undefined ? null : { id: name };
  },
  address: ({ id }) =>
    `https://api.ashbyhq.com/posting-api/job-board/${encodeURIComponent(id)}?includeCompensation=true`,
  pageSize: null,
  hasOwnHosts: false,
  read(body) {
    const answer = jsonIn(body);
    const jobs = objectsIn(memberAt(answer, 'jobs'), 'jobs');
    return {
      items: jobs.length,
      total: null,
      // Unlisted jobs are reachable only by their link.
      postings: jobs
        .filter((job) => job['isListed'] !== false)
        .map((job) => ({
          id: idOf(job),
          url: addressAt(job, 'jobUrl', 'job'),
          title: textAt(job, 'title'),
          html: [textAt(job, 'descriptionHtml') ?? textAt(job, 'descriptionPlain') ?? ''],
          location: locationOf(job),
          postedAt: momentOf(textAt(job, 'publishedAt')),
          department: textAt(job, 'department') ?? textAt(job, 'team'),
          workplace: workplaceOf(job),
          salary: salaryOf(job),
        })),
    };
  },
};

function decodeURIComponentOrNot(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The id is not documented; if it is missing, the address contains the same id. */
function idOf(job: JsonObject): string {
  if (job['id'] !== undefined) return itemId(job, 'job');
  const url = addressAt(job, 'jobUrl', 'job');
  return new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? url;
}

function locationOf(job: JsonObject): string | null {
  const others = listAt(job, 'secondaryLocations').flatMap((one) => textAt(one, 'location') ?? []);
  const places = [...new Set([textAt(job, 'location') ?? [], others].flat())];
  return places.length === 0 ? null : places.join('; ');
}

function workplaceOf(job: JsonObject): Workplace | null {
  const type = textAt(job, 'workplaceType')?.toLowerCase();
  if (type === 'hybrid' || type === 'remote') return type;
  if (type === 'onsite') return 'on_site';
  return job['isRemote'] === true ? 'remote' : null;
}

function salaryOf(job: JsonObject): Salary | null {
  const component = listAt(job, 'compensation', 'summaryComponents').find(
    (one) => memberAt(one, 'compensationType') === 'Salary',
  );
  const [min, max] = [numberAt(component, 'minValue'), numberAt(component, 'maxValue')];
  if (min === null && max === null) return null;
  const interval = INTERVALS.get(textAt(component, 'interval') ?? '') ?? null;
  return { currency: textAt(component, 'currencyCode'), min, max, interval };
}
