import type { JsonObject } from '#kernel/values/json.js';
import type { Salary, SalaryInterval, Workplace } from '#network/observation.js';
import {
  addressAt,
  itemId,
  jsonIn,
  listAt,
  memberAt,
  numberAt,
  objectsIn,
  textAt,
} from '../answer-fields.js';
import type { BoardKind } from '../board-kind.js';

const HOSTS = /^(?:jobs|api)(\.eu)?\.lever\.co$/;
const WORKPLACES: ReadonlyMap<string, Workplace> = new Map([
  ['on-site', 'on_site'],
  ['onsite', 'on_site'],
  ['hybrid', 'hybrid'],
  ['remote', 'remote'],
]);
const INTERVALS: ReadonlyMap<string, SalaryInterval> = new Map([
  ['per-hour-wage', 'hour'],
  ['per-day-wage', 'day'],
  ['per-week-salary', 'week'],
  ['per-month-salary', 'month'],
  ['per-year-salary', 'year'],
]);
const POSTINGS_A_PAGE = 100;

/** Lever's postings API, of the world and of the EU. */
export const lever: BoardKind = {
  name: 'lever',
  terms: {
    url: 'https://github.com/lever/postings-api#the-api-does-not',
    verdict:
      'the README, read in a stored copy: published postings are publicly viewable and may be scraped by third parties',
    readOn: '2026-11-25',
    paceMs: 1_000,
  },
  boardAt(address) {
    const [isLever, eu] = HOSTS.exec(address.hostname) ?? [];
    if (isLever === undefined) return null;
    const [first, second, third] = address.pathname.split('/').filter(Boolean);
    const site = first === 'v0' && second === 'postings' ? third : first;
    if (site === undefined || !/^\w[\w.-]*$/.test(site)) return null;
    return { id: eu === undefined ? site : `eu/${site}` };
  },
  address({ id }, skip) {
    const host = id.startsWith('eu/') ? 'api.eu.lever.co' : 'api.lever.co';
    const paging = `skip=${skip}&limit=${POSTINGS_A_PAGE}`;
    return `https://${host}/v0/postings/${id.replace(/^eu\//, '')}?mode=json&${paging}`;
  },
  pageSize: POSTINGS_A_PAGE,
  hasOwnHosts: false,
  read(body) {
    const postings = objectsIn(jsonIn(body), 'postings');
    return {
      items: postings.length,
      total: null,
      postings: postings.map((posting) => ({
        id: itemId(posting, 'posting'),
        url: addressAt(posting, 'hostedUrl', 'posting'),
        title: textAt(posting, 'text'),
        html: textsOf(posting),
        location: locationOf(posting),
        postedAt: createdAt(posting),
        department: textAt(posting, 'categories', 'department') ?? textAt(posting, 'categories', 'team'),
        workplace: WORKPLACES.get(textAt(posting, 'workplaceType')?.toLowerCase() ?? '') ?? null,
        salary: salaryOf(posting),
      })),
    };
  },
};

/** The plain texts are complete except for lists, which exist only as HTML. */
function textsOf(posting: JsonObject): readonly string[] {
  const lists = listAt(posting, 'lists').flatMap((list) => [
    escaped(textAt(list, 'text') ?? ''),
    `<ul>${textAt(list, 'content') ?? ''}</ul>`,
  ]);
  return [ofEither(posting, 'description'), ...lists, ofEither(posting, 'additional')];
}

function ofEither(posting: JsonObject, name: string): string {
  return textAt(posting, name) ?? escaped(textAt(posting, `${name}Plain`) ?? '').replaceAll('\n', '<br>');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function locationOf(posting: JsonObject): string | null {
  const all = memberAt(posting, 'categories', 'allLocations');
  const places = Array.isArray(all) ? all.filter((place): place is string => typeof place === 'string') : [];
  return places.length > 1 ? places.join('; ') : textAt(posting, 'categories', 'location');
}

/** Milliseconds; not documented, so another type is not an error. */
function createdAt(posting: JsonObject): string | null {
  const date = new Date(numberAt(posting, 'createdAt') ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function salaryOf(posting: JsonObject): Salary | null {
  const [min, max] = [numberAt(posting, 'salaryRange', 'min'), numberAt(posting, 'salaryRange', 'max')];
  if (min === null && max === null) return null;
  const interval = INTERVALS.get(textAt(posting, 'salaryRange', 'interval') ?? '') ?? null;
  return { currency: textAt(posting, 'salaryRange', 'currency'), min, max, interval };
}
