import { MalformedAnswer } from './answer-fields.js';
import type { BoardKind } from './board-kind.js';
import { itemRef } from './item-ref.js';
import { readFeed } from './kinds/feed.js';
import type { Answer, PoliteClient, Validators } from './polite-client.js';
import { postingLine } from './posting-line.js';
import { redactContacts } from './redact-contacts.js';
import type { SourceKind } from './source-kinds.js';

/** An item as a line of an ingest, and when the request for it was sent. */
export type SeenLine = { readonly line: { readonly ref: string }; readonly sentAtMs: number };

/** What a source shows: all of it, or why that is not known. */
export type SourceReading =
  | {
      readonly outcome: 'read';
      readonly lines: readonly SeenLine[];
      /** Items without a text or a name. */
      readonly skipped: number;
      /** What the provider lists, with the items that are skipped. */
      readonly items: number;
      /** Whether it was read in pieces, between which something may have moved. */
      readonly isPaged: boolean;
      /** When the first request was sent. */
      readonly sentAtMs: number;
      readonly validators: Validators;
      readonly notBeforeMs: number;
    }
  | Exclude<Answer, { readonly outcome: 'read' }>;

export type ReadOf = {
  readonly kind: SourceKind;
  readonly boardId: string;
  /** Where a feed is read. */
  readonly url: string;
  readonly companyRef: string;
  readonly redactsContacts: boolean;
  /** Null: read it whatever it says. */
  readonly validators: Validators | null;
  readonly signal: AbortSignal;
};

const MOST_PAGES = 200;

/** Reads a source as a whole. What is not as its kind is documented has failed: it is not "nothing there". */
export async function readSource(client: PoliteClient, source: ReadOf): Promise<SourceReading> {
  try {
    return source.kind.gives === 'posts'
      ? await readPosts(client, source)
      : await readBoard(client, source, source.kind.board);
  } catch (error) {
    if (!(error instanceof MalformedAnswer)) throw error;
    return { outcome: 'failed', why: error.message, notBeforeMs: 0 };
  }
}

async function readPosts(client: PoliteClient, source: ReadOf): Promise<SourceReading> {
  const { kind, boardId, url, companyRef, redactsContacts, signal, validators } = source;
  const answer = await client.get(url, { validators, paceMs: kind.terms.paceMs, signal });
  if (answer.outcome !== 'read') return answer;
  const { posts, skipped } = readFeed(answer.body);
  const lines = posts.map(({ id, url: page, text, publishedAt }) => ({
    sentAtMs: answer.sentAtMs,
    line: {
      kind: 'post',
      ref: itemRef(kind.name, boardId, id),
      rev: 'auto',
      author_ref: companyRef,
      url: page,
      text: redactsContacts ? redactContacts(text) : text,
      published_at: publishedAt,
    },
  }));
  return { ...answer, lines, skipped, items: posts.length + skipped, isPaged: false };
}

async function readBoard(client: PoliteClient, source: ReadOf, board: BoardKind): Promise<SourceReading> {
  const { boardId, companyRef, redactsContacts, signal } = source;
  const of = { kind: board, boardId, companyRef, redactsContacts };
  const lines = new Map<string, SeenLine>();
  const ids = new Set<string>();
  let first: Extract<Answer, { outcome: 'read' }> | null = null;
  let items = 0;
  let total: number | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    // Of several pages one alone says nothing.
    const validators = board.pageSize === null ? source.validators : null;
    const asked = { validators, paceMs: board.terms.paceMs, signal };
    const answer = await client.get(board.address({ id: boardId }, page), asked);
    if (answer.outcome !== 'read') return answer;
    first ??= answer;
    const read = board.read(answer.body, { id: boardId });
    if (page > 0 && read.total !== total)
      throw new MalformedAnswer('has another number of postings on each page');
    total = read.total;
    items += read.items;
    const known = ids.size;
    for (const posting of read.postings) {
      ids.add(posting.id);
      const line = postingLine(of, posting);
      if (line !== null) lines.set(posting.id, { line, sentAtMs: answer.sentAtMs });
    }
    const isLast = board.pageSize === null || read.items < board.pageSize || ids.size === known;
    if (!isLast) continue;
    if (total !== null && total !== items)
      throw new MalformedAnswer(`says that it has ${total} postings and shows ${items}`);
    const { validators: left, sentAtMs, notBeforeMs } = first;
    const skipped = ids.size - lines.size;
    const whole = { lines: [...lines.values()], skipped, items, isPaged: page > 0 };
    return { outcome: 'read', ...whole, sentAtMs, validators: left, notBeforeMs };
  }
  throw new MalformedAnswer(`has more than ${MOST_PAGES} pages`);
}
