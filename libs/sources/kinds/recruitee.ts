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
  ['hour', 'hour'],
  ['day', 'day'],
  ['week', 'week'],
  ['month', 'month'],
  ['year', 'year'],
]);

/** Recruitee's careers site API: the whole board in one answer. */
export const recruitee: BoardKind = {
  name: 'recruitee',
  terms: {
    url: 'https://docs.recruitee.com/reference/intro-to-careers-site-api',
    verdict:
      'the documentation, read in a stored copy: jobs as candidates see them, for websites; it says nothing of other readers. robots.txt of each site decides',
    readOn: '2026-11-25',
    paceMs: 1_000,
  },
  boardAt({ hostname }) {
    const [, company] = /^([a-z0-9][a-z0-9-]*)\.recruitee\.com$/.exec(hostname) ?? [];
    return company === undefined || company === 'www' || company === 'docs' ? null : { id: company };
  },
  // A company's own domain contains a dot, the name of a company on Recruitee does not.
  address: ({ id }) => `https://${/[.:]/.test(id) ? id : `${id}.recruitee.com`}/api/offers`,
  pageSize: null,
  hasOwnHosts: true,
  read(body) {
    const answer = jsonIn(body);
    const offers = objectsIn(memberAt(answer, 'offers'), 'offers');
    return {
      items: offers.length,
      total: null,
      postings: offers
        .filter((offer) => (offer['status'] ?? 'published') === 'published')
        .map((offer) => ({
          id: itemId(offer, 'offer'),
          url: addressAt(offer, 'careers_url', 'offer'),
          title: textAt(offer, 'title'),
          html: [textAt(offer, 'description') ?? '', textAt(offer, 'requirements') ?? ''],
          location: locationOf(offer),
          postedAt: momentOf(textAt(offer, 'published_at')),
          department: textAt(offer, 'department'),
          workplace: workplaceOf(offer),
          salary: salaryOf(offer),
        })),
    };
  },
};

function locationOf(offer: JsonObject): string | null {
  const places = listAt(offer, 'locations').flatMap((place) => {
    const parts = [textAt(place, 'city'), textAt(place, 'country')].filter((part) => part !== null);
    return parts.length === 0 ? [] : [parts.join(', ')];
  });
  return places.length === 0 ? textAt(offer, 'location') : [...new Set(places)].join('; ');
}

function workplaceOf({ remote, hybrid, on_site: onSite }: JsonObject): Workplace | null {
  if (hybrid === true) return 'hybrid';
  if (remote === true) return onSite === true ? null : 'remote';
  return onSite === true ? 'on_site' : null;
}

function salaryOf(offer: JsonObject): Salary | null {
  const [min, max] = [amountAt(offer, 'min'), amountAt(offer, 'max')];
  if (min === null && max === null) return null;
  const interval = INTERVALS.get(textAt(offer, 'salary', 'period') ?? '') ?? null;
  return { currency: textAt(offer, 'salary', 'currency'), min, max, interval };
}

/** A number, or a number as text. */
function amountAt(offer: JsonObject, name: string): number | null {
  const written = memberAt(offer, 'salary', name);
  if (typeof written === 'string' && /^\d{1,12}(\.\d{1,4})?$/.test(written)) return Number(written);
  return numberAt(offer, 'salary', name);
}
