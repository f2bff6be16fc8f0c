import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import type { Workplace } from '#network/observation.js';
import { addressAt, MalformedAnswer, memberAt, momentOf, textAt } from '../answer-fields.js';
import type { BoardKind } from '../board-kind.js';
import { elementsOf, xmlIn } from '../xml-answer.js';

const POSTINGS_A_PAGE = 100;
const WORKPLACES: ReadonlyMap<string, Workplace> = new Map([
  ['none', 'on_site'],
  ['onsite', 'on_site'],
  ['hybrid', 'hybrid'],
  ['temporary', 'hybrid'],
  ['fully', 'remote'],
]);

/** The RSS of a careers site on Teamtailor: it contains the places of work, which its JSON does not. */
export const teamtailor: BoardKind = {
  name: 'teamtailor',
  terms: {
    url: 'https://support.teamtailor.com/en/articles/11171756-rss-feed-how-to-guide',
    verdict:
      'the help article, read in quotations of 2026-09-25: jobs.rss is for sending data to other systems, and all of it is publicly available. The terms and conditions, searched by two others in August and September 2026, bind customers and say nothing of reading by programs. robots.txt of each site decides; some have a Content-Signal, which is for you to read',
    readOn: '2026-09-25',
    paceMs: 1_000,
  },
  boardAt({ hostname }) {
    const isCareersSite = /^[a-z0-9-]+(\.[a-z]{2})?\.teamtailor\.com$/.test(hostname);
    return isCareersSite && !/^(www|app|api|docs)\./.test(hostname) ? { id: hostname } : null;
  },
  address: ({ id }, skip) => `https://${id}/jobs.rss?offset=${skip}&per_page=${POSTINGS_A_PAGE}`,
  // A site may return fewer postings per page than requested.
  pageSize: 1,
  hasOwnHosts: true,
  read(body) {
    const channel = memberAt(xmlIn(body), 'rss', 'channel');
    if (!isJsonObject(channel)) throw new MalformedAnswer('has no channel of jobs');
    const items = elementsOf(channel['item']).filter((item) => isJsonObject(item));
    return {
      items: items.length,
      total: null,
      postings: items.map((item) => {
        const url = addressAt(item, 'link', 'job');
        return {
          id: textAt(item, 'guid') ?? url,
          url,
          title: textAt(item, 'title'),
          html: [textAt(item, 'description') ?? ''],
          location: locationsOf(item),
          postedAt: momentOf(textAt(item, 'pubDate')),
          department: textAt(item, 'tt:department') ?? textAt(item, 'department'),
          workplace: WORKPLACES.get(textAt(item, 'remoteStatus') ?? '') ?? null,
          salary: null,
        };
      }),
    };
  },
};

function locationsOf(item: JsonObject): string | null {
  const places = elementsOf(memberAt(item, 'tt:locations', 'tt:location')).flatMap((place: JsonValue) => {
    const city = textAt(place, 'tt:city') ?? textAt(place, 'tt:name');
    const parts = [city, textAt(place, 'tt:country')].filter((part) => part !== null);
    return parts.length === 0 ? [] : [parts.join(', ')];
  });
  return places.length === 0 ? null : [...new Set(places)].join('; ');
}
