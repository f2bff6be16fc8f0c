import { isJsonObject, type JsonObject } from '#kernel/values/json.js';
import { itemId, MalformedAnswer, memberAt, momentOf, textAt } from '../answer-fields.js';
import type { BoardKind } from '../board-kind.js';
import { elementsOf, xmlIn } from '../xml-answer.js';

const HOST = /^([a-z0-9][a-z0-9-]*)\.jobs\.personio\.(de|com)$/;

/** Personio's XML of a careers site: the whole board, in one language. */
export const personio: BoardKind = {
  name: 'personio',
  terms: {
    url: 'https://support.personio.de/hc/en-us/articles/207576365',
    verdict:
      'the help page, read in a stored copy: the customer switches the feed on for its website; it says nothing of other readers',
    readOn: '2026-11-25',
    paceMs: 3_000,
  },
  boardAt({ hostname }) {
    const [, account, domain] = HOST.exec(hostname) ?? [];
    return account === undefined ? null : { id: `${account}.${domain}` };
  },
  address: ({ id }) => `https://${hostOf(id)}/xml?language=en`,
  pageSize: null,
  hasOwnHosts: false,
  read(body, board) {
    const answer = xmlIn(body);
    if (!isJsonObject(answer) || !('workzag-jobs' in answer))
      throw new MalformedAnswer('has no list of positions');
    const positions = elementsOf(memberAt(answer, 'workzag-jobs', 'position')).filter((one) =>
      isJsonObject(one),
    );
    return {
      items: positions.length,
      total: null,
      postings: positions.map((position) => ({
        id: itemId(position, 'position'),
        url: `https://${hostOf(board.id)}/job/${itemId(position, 'position')}`,
        title: textAt(position, 'name'),
        html: textsOf(position),
        location: officesOf(position),
        postedAt: momentOf(textAt(position, 'createdAt')),
        department: textAt(position, 'department'),
        workplace: null,
        salary: null,
      })),
    };
  },
};

/** The host of `acme.de`: account and top-level domain. */
function hostOf(id: string): string {
  const [account = '', domain = ''] = id.split('.');
  return `${account}.jobs.personio.${domain}`;
}

function textsOf(position: JsonObject): readonly string[] {
  return elementsOf(memberAt(position, 'jobDescriptions', 'jobDescription')).flatMap((part) => [
    textAt(part, 'name') ?? '',
    textAt(part, 'value') ?? '',
  ]);
}

function officesOf(position: JsonObject): string | null {
  const others = elementsOf(memberAt(position, 'additionalOffices', 'office')).filter(
    (one) => typeof one === 'string',
  );
  const offices = [...new Set([textAt(position, 'office') ?? [], others].flat())];
  return offices.length === 0 ? null : offices.join('; ');
}
