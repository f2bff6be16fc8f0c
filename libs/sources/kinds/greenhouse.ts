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

const HOSTS = /^(?:boards|job-boards|boards-api)(?:\.eu)?\.greenhouse\.io$/;

/** Greenhouse's public job board API: the whole board in one answer, texts as HTML in entities. */
export const greenhouse: BoardKind = {
  name: 'greenhouse',
  terms: {
    url: 'https://developers.greenhouse.io/job-board.html',
    verdict:
      'the documentation of List jobs, read in the stored repository grnhse/greenhouse-api-docs, asks for no key and names no limit; the terms of use were not read',
    readOn: '2026-11-25',
    paceMs: 1_000,
  },
  boardAt(address) {
    if (!HOSTS.test(address.hostname)) return null;
    const [first, second, third] = address.pathname.split('/').filter(Boolean);
    const id = first === 'v1' && second === 'boards' ? third : first;
    const token = first === 'embed' ? address.searchParams.get('for') : id;
    return token && /^\w[\w-]*$/.test(token) ? { id: token.toLowerCase() } : null;
  },
  address: ({ id }) => `https://boards-api.greenhouse.io/v1/boards/${id}/jobs?content=true`,
  pageSize: null,
  hasOwnHosts: false,
  read(body) {
    const answer = jsonIn(body);
    const jobs = objectsIn(memberAt(answer, 'jobs'), 'jobs');
    return {
      items: jobs.length,
      total: numberAt(answer, 'meta', 'total'),
      postings: jobs.map((job) => ({
        id: itemId(job, 'job'),
        url: addressAt(job, 'absolute_url', 'job'),
        title: textAt(job, 'title'),
        html: [textAt(job, 'content') ?? ''],
        location: textAt(job, 'location', 'name'),
        // The date of the first publication: an update is not a new posting.
        postedAt: momentOf(textAt(job, 'first_published')),
        department: listAt(job, 'departments').flatMap((one) => textAt(one, 'name') ?? [])[0] ?? null,
        workplace: null,
        salary: null,
      })),
    };
  },
};
