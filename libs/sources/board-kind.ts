import { HOUR_MS } from '#kernel/values/durations.js';
import type { Salary, Workplace } from '#network/observation.js';
import { MalformedAnswer } from './answer-fields.js';
import { firstOfEach } from './first-of-each.js';
import { itemRef } from './item-ref.js';
import { mapped, onePiece, whole } from './pieces.js';
import type { Answer } from './polite-client.js';
import { postingLine, type PostingOf } from './posting-line.js';
import type {
  Line,
  ParseOf,
  Parsed,
  ReadWith,
  SeenLine,
  SourceKind,
  SourceParts,
  SourceReading,
  Terms,
} from './source-kind.js';
import { partNotRead, readingOf } from './source-reading.js';

/** A posting as a board shows it. */
export type SeenPosting = {
  /** The id of the provider, within the board. */
  readonly id: string;
  readonly url: string;
  readonly title: string | null;
  /** Texts one after the other, as HTML. */
  readonly html: readonly string[];
  readonly location: string | null;
  /** UTC with milliseconds. */
  readonly postedAt: string | null;
  readonly department: string | null;
  readonly workplace: Workplace | null;
  readonly salary: Salary | null;
};

/** The content of one answer of a board. */
export type BoardPage = {
  readonly postings: readonly SeenPosting[];
  /** The total on the board, if stated; another total on a later page fails the reading. */
  readonly total: number | null;
  /** The number of items of the answer that count for paging, including unlisted ones. */
  readonly items: number;
};

/** A board of a provider, as an operator's address names it. */
export type Board = {
  /** The provider's id. Together with the kind it identifies the board permanently (SRC-03). */
  readonly id: string;
};

/** One provider of job boards. */
export type BoardKind = {
  readonly name: string;
  readonly terms: Terms;
  /** The board of an address for people or programs; null: not a board of this provider. */
  readonly boardAt: (address: URL) => Board | null;
  /** The address of the board's postings after the first `skip`. */
  readonly address: (board: Board, skip: number) => string;
  /** A page with fewer postings is the last; null: one page is the whole board. */
  readonly pageSize: number | null;
  /** Whether customers have their own hosts, which are then the ids of their boards. */
  readonly hasOwnHosts: boolean;
  /** Reads an answer. Throws `MalformedAnswer`. */
  readonly read: (body: string, board: Board) => BoardPage;
};

const PAUSE_MS = 6 * HOUR_MS;
const MOST_PAGES = 200;

/** A provider of job boards as a kind of source. */
export function boardSource(board: BoardKind): SourceKind {
  const { name, terms, boardAt, hasOwnHosts } = board;
  return {
    name,
    gives: 'postings',
    terms,
    pauseMs: PAUSE_MS,
    isReadAtUrl: false,
    whereRead: ({ url }) => (hasOwnHosts ? `${new URL(url).origin}/` : null),
    isFile: false,
    hostOf: (of) => new URL(addressOf(board, of, 0)).host,
    boardAt: (address) => boardAt(address)?.id ?? null,
    boardNamed: (address) => boardAt(address)?.id ?? (hasOwnHosts ? address.host : null),
    parse: (body, of) => parsedPage(board, body, of),
    read: (of, by) => readBoard(board, of, by),
  };
}

function parsedPage(board: BoardKind, body: string, of: ParseOf): Parsed {
  const { boardId, subjectRef: companyRef, redactsContacts } = of;
  const { postings, total, items } = board.read(body, { id: boardId });
  const refs = postings.map(({ id }) => itemRef(board.name, boardId, id));
  const lines = firstOfEach(linesOf(postings, { kind: board, boardId, companyRef, redactsContacts }));
  return { lines, refs, items, total, links: [], skipHours: [] };
}

/** Made while they are read, because the texts are most of a board and take most of the time. */
function* linesOf(postings: readonly SeenPosting[], of: PostingOf): Generator<Line | null> {
  for (const posting of postings) yield postingLine(of, posting);
}

type ReadAnswer = Extract<Answer, { outcome: 'read' }>;

async function readBoard(board: BoardKind, of: ParseOf, by: ReadWith): Promise<SourceReading> {
  return board.pageSize === null ? readWhole(board, of, by) : readPages(board, board.pageSize, of, by);
}

/** A board in one answer: its lines come from the parser while they are written. */
async function readWhole(board: BoardKind, of: ParseOf, by: ReadWith): Promise<SourceReading> {
  const { client, parse, validators, signal, onRequest } = by;
  const asked = { validators, paceMs: board.terms.paceMs, signal };
  const answer = await client.get(addressOf(board, of, 0), asked);
  if (answer.outcome === 'unchanged') return { ...answer, movedTo: movedTo(board, of, answer) };
  if (answer.outcome !== 'read') return answer;
  const { lines, refs, total, items } = await parse(board.name, answer.body, of);
  onRequest(1, 1);
  const { sentAtMs } = answer;
  try {
    requireTotal(total, items);
    const seen = mapped(lines, (line) => ({ line, sentAtMs }));
    const shown = { lines: seen, refs: [...new Set(refs)], items };
    return readingOf(answer, { ...shown, movedTo: movedTo(board, of, answer) });
  } catch (error) {
    await lines.close();
    throw error;
  }
}

/** A board in several pages: its items are known only after the last page, so all lines wait until then. */
async function readPages(
  board: BoardKind,
  pageSize: number,
  of: ParseOf,
  by: ReadWith,
): Promise<SourceReading> {
  const { client, parse, signal, onRequest } = by;
  const lines = new Map<string, SeenLine>();
  const refs = new Set<string>();
  let first: ReadAnswer | null = null;
  let items = 0;
  let total: number | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    // A "not modified" of one page says nothing about the other pages.
    const asked = { validators: null, paceMs: board.terms.paceMs, signal };
    const answer = await client.get(addressOf(board, of, items), asked);
    if (answer.outcome !== 'read') return page === 0 ? answer : partNotRead(`page ${page + 1}`, answer);
    first ??= answer;
    const parsed = await parse(board.name, answer.body, of);
    const shown = await whole(parsed.lines);
    if (page > 0 && parsed.total !== total)
      throw new MalformedAnswer('has another number of postings on each page');
    total = parsed.total;
    const known = refs.size;
    for (const ref of parsed.refs) refs.add(ref);
    for (const line of shown.items) lines.set(line.ref, { line, sentAtMs: answer.sentAtMs });
    // A site that does not support paging returns the same postings again.
    const isNew = refs.size > known;
    if (isNew || page === 0) items += parsed.items;
    onRequest(page + 1, null);
    if (parsed.items >= pageSize && isNew) continue;
    requireTotal(total, items);
    // Also if the last page shows nothing new: a posting may have moved to a page that was already read, or the page may
    // be truncated.
    const isPaged = page > 0;
    const seen = onePiece([...refs].map((ref) => lines.get(ref) ?? null));
    const movedFor = movedTo(board, of, first);
    return readingOf(first, { lines: seen, refs: [...refs], items, isPaged, movedTo: movedFor });
  }
  throw new MalformedAnswer(`has more than ${MOST_PAGES} pages`);
}

function requireTotal(total: number | null, items: number): void {
  if (total !== null && total !== items)
    throw new MalformedAnswer(`says that it has ${total} postings and shows ${items}`);
}

function addressOf(board: BoardKind, of: SourceParts, skip: number): string {
  const address = board.address({ id: of.boardId }, skip);
  const base = isOwnHost(board, of) ? ownOrigin(of) : of.baseUrl;
  if (base === null) return address;
  const { pathname, search } = new URL(address);
  return `${base.replace(/\/+$/, '')}${pathname}${search}`;
}

/** Whether it is read from a host of the customer and not from a mirror: such a host may move. */
function isOwnHost({ hasOwnHosts }: BoardKind, { boardId, baseUrl }: SourceParts): boolean {
  return hasOwnHosts && (baseUrl === null || new URL(baseUrl).host === boardId);
}

/** With encryption, unless the operator configured a host without it. */
function ownOrigin({ url, baseUrl }: SourceParts): string {
  const { origin, host } = new URL(url);
  return baseUrl === null ? `https://${host}` : origin;
}

/** The new host if the address has moved permanently to a board (SRC-03). A redirect to a home page is not one. */
function movedTo(board: BoardKind, of: SourceParts, answer: Pick<ReadAnswer, 'movedTo'>): string | null {
  if (answer.movedTo === null || !isOwnHost(board, of)) return null;
  const [from, to] = [new URL(addressOf(board, of, 0)), new URL(answer.movedTo)];
  return from.pathname === to.pathname && from.origin !== to.origin ? `${to.origin}/` : null;
}
