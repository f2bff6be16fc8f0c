import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import { DAY_MS, HOUR_MS } from '#kernel/values/durations.js';
import { MalformedAnswer, memberAt, momentOf, textAt } from '../answer-fields.js';
import { itemRef } from '../item-ref.js';
import { onePiece, whole } from '../pieces.js';
import type { Line, ParseOf, Parsed, ReadWith, SeenLine, SourceKind, SourceReading } from '../source-kind.js';
import { readingOf } from '../source-reading.js';
import { elementsOf, xmlIn } from '../xml-answer.js';

const PAUSE_MS = 12 * HOUR_MS;
/** A notice may be listed before its document exists. */
const NEW_FOR_MS = 7 * DAY_MS;
/** The maximum number of new filings in one poll. */
const MOST_FILINGS = 100;

/** Form D notices of one company in EDGAR, the register of the SEC: capital raised without a public offer. */
export const formD: SourceKind = {
  name: 'form-d',
  gives: 'company events',
  terms: {
    url: 'https://www.sec.gov/os/accessing-edgar-data',
    verdict:
      'the page, read in quotations of 2026-10-14: programs declare themselves by a User-Agent with a contact and ask at most 10 times a second, over all machines; else they are answered 403, or limited until they have been slower for 10 minutes',
    readOn: '2026-10-14',
    paceMs: 1_000,
  },
  hostOf: (of) => new URL(listOf(of)).host,
  pauseMs: PAUSE_MS,
  isReadAtUrl: false,
  whereRead: () => null,
  isFile: false,
  boardAt: (address) => (address.hostname === 'www.sec.gov' ? cikIn(address) : null),
  boardNamed: (address) => cikIn(address),
  parse: (body, of) => (/<edgarSubmission\b/.test(body) ? parsedNotice(body, of) : parsedList(body, of)),
  read: readNotices,
};

/** The number of a company in EDGAR, ten digits: `?CIK=`, `/edgar/data/<number>/`. */
function cikIn({ searchParams, pathname }: URL): string | null {
  const [, inPath] = /\/edgar\/data\/(\d{1,10})(?:\/|$)/i.exec(pathname) ?? [];
  const given = [...searchParams].find(([name]) => name.toLowerCase() === 'cik')?.[1] ?? inPath;
  return given !== undefined && /^\d{1,10}$/.test(given) ? given.padStart(10, '0') : null;
}

const originOf = ({ baseUrl }: Pick<ParseOf, 'baseUrl'>): string =>
  (baseUrl ?? 'https://www.sec.gov').replace(/\/+$/, '');

function listOf(of: Pick<ParseOf, 'boardId' | 'baseUrl'>): string {
  const query = `action=getcompany&CIK=${of.boardId}&type=D&owner=include&count=100&output=atom`;
  return `${originOf(of)}/cgi-bin/browse-edgar?${query}`;
}

/** The document of the notice, as its filer wrote it. */
const noticeOf = (of: ParseOf, accession: string): string =>
  `${originOf(of)}/Archives/edgar/data/${Number(of.boardId)}/${accession.replaceAll('-', '')}/primary_doc.xml`;

const AMENDMENT = 'D/A';
const ACCESSION = /\d{10}-\d{2}-\d{6}/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A filing of the list as a link: its accession number, day and type. */
const linkOf = (accession: string, filedOn: string, type: string): string =>
  `${accession} ${filedOn} ${type}`;

function parsedList(body: string, _of: ParseOf): Parsed {
  const answer = xmlIn(body);
  if (!isJsonObject(answer) || !('feed' in answer)) throw new MalformedAnswer('answered no list of filings');
  const entries = elementsOf(memberAt(answer, 'feed', 'entry')).filter((entry) => isJsonObject(entry));
  const links = entries.flatMap((entry) => {
    const content = memberAt(entry, 'content');
    const type = (textAt(content, 'filing-type') ?? '').toUpperCase();
    // The list has all types that begin with this letter.
    if (type !== 'D' && type !== AMENDMENT) return [];
    const [accession] =
      ACCESSION.exec(textAt(content, 'accession-number') ?? textAt(entry, 'id') ?? '') ?? [];
    if (accession === undefined) throw new MalformedAnswer('lists a filing without an accession number');
    const day = textAt(content, 'filing-date') ?? (textAt(entry, 'updated') ?? '').slice(0, 10);
    return [linkOf(accession, DATE.test(day) ? day : '', type)];
  });
  return { lines: [], refs: [], items: links.length, total: null, links, skipHours: [] };
}

/** Reads the notices that are not known, or all listed ones. An amendment reports the same funding again: it is a later revision. */
async function readNotices(of: ParseOf, by: ReadWith): Promise<SourceReading> {
  const { client, parse, validators, known, readsKnownAgain, signal, onRequest, nowMs } = by;
  const { paceMs } = formD.terms;
  const list = await client.get(listOf(of), { validators, paceMs, signal });
  if (list.outcome === 'unchanged') return { ...list, movedTo: null };
  if (list.outcome !== 'read') return list;
  const { links, lines: none } = await parse(formD.name, list.body, of);
  await none.close();
  /** For each known notice the first notice that it amends. */
  const roots = new Map(known.map(rootIn));
  // Oldest first, in the order of filing.
  const fresh = links.filter((link) => readsKnownAgain || !roots.has(link.split(' ')[0] ?? '')).reverse();
  const lines: SeenLine[] = [];
  let done = 0;
  let isOneMissing = false;
  for (const link of fresh.slice(0, MOST_FILINGS)) {
    const [accession = '', filedOn = '', type] = link.split(' ');
    // It may amend the missing one: its offering is known only then, and the missing one is an earlier revision.
    if (isOneMissing && type === AMENDMENT) continue;
    const answer = await client.get(noticeOf(of, accession), { validators: null, paceMs, signal });
    onRequest((done += 1), Math.min(fresh.length, MOST_FILINGS));
    // Old notices were filed on paper and have no such document.
    if (answer.outcome === 'missing') {
      const isNew = Date.parse(filedOn) > nowMs() - NEW_FOR_MS;
      if (isNew) isOneMissing = true;
      else roots.set(accession, accession);
      continue;
    }
    if (answer.outcome !== 'read')
      return { outcome: 'failed', why: `notice ${accession} was not read`, notBeforeMs: answer.notBeforeMs };
    const notice = await parse(formD.name, answer.body, { ...of, url: accession });
    const [line] = (await whole(notice.lines)).items;
    if (line === undefined) throw new MalformedAnswer(`notice ${accession} has no offering`);
    const { amends, ...eventFields } = line;
    const root = typeof amends === 'string' ? (roots.get(amends) ?? amends) : accession;
    roots.set(accession, root);
    const occurredAt = momentOf(filedOn === '' ? null : `${filedOn}T00:00:00Z`);
    const event = { ...eventFields, ref: itemRef(formD.name, of.boardId, root), occurred_at: occurredAt };
    lines.push({ line: event, sentAtMs: answer.sentAtMs });
  }
  return readingOf(
    // Without validators, so that the next poll requests the rest.
    fresh.length <= MOST_FILINGS && !isOneMissing
      ? list
      : { ...list, validators: { etag: null, lastModified: null } },
    {
      lines: onePiece(lines),
      refs: lines.map(({ line }) => line.ref),
      items: links.length,
      known: [...roots].map(([accession, root]) => `${accession}=${root}`),
    },
  );
}

/** An entry of the known notices: `<accession number>=<that of the first notice>`. */
function rootIn(entry: string): readonly [string, string] {
  const [accession = '', root = accession] = entry.split('=', 2);
  return [accession, root];
}

function parsedNotice(body: string, of: ParseOf): Parsed {
  const submission = memberAt(xmlIn(body), 'edgarSubmission');
  const offering = memberAt(submission, 'offeringData');
  if (!isJsonObject(submission) || !isJsonObject(offering))
    throw new MalformedAnswer('answered a notice without an offering');
  const line: Line = {
    kind: 'company_event',
    ref: itemRef(formD.name, of.boardId, of.url),
    rev: 'auto',
    company_ref: of.subjectRef,
    event: 'funding',
    fields: fieldsOf(submission, offering, of),
    amends: amended(offering),
  };
  return { lines: [line], refs: [line.ref], items: 1, total: null, links: [], skipHours: [] };
}

/** The address of the notice in the register, even if it was read from a mirror. */
const shownAt = (cik: string, accession: string): string =>
  `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll('-', '')}/${accession}-index.htm`;

function fieldsOf(
  submission: JsonObject,
  offering: JsonObject,
  { boardId, url: accession }: ParseOf,
): JsonObject {
  const amounts = memberAt(offering, 'offeringSalesAmounts');
  const [sold, offered] = [amountAt(amounts, 'totalAmountSold'), amountAt(amounts, 'totalOfferingAmount')];
  const firstSale = textAt(offering, 'typeOfFiling', 'dateOfFirstSale', 'value');
  const issuer = textAt(submission, 'primaryIssuer', 'entityName');
  return {
    url: shownAt(boardId, accession),
    ...(sold !== null && { amount: sold, currency: 'USD' }),
    ...(offered !== null && { offering_amount: offered }),
    ...(firstSale !== null && DATE.test(firstSale) && { first_sale: firstSale }),
    ...(issuer !== null && { issuer }),
    extract: extractOf(issuer, sold, offered),
  };
}

function extractOf(issuer: string | null, sold: number | null, offered: number | null): string {
  const parts = [
    sold === null ? null : `sold ${sold} USD`,
    offered === null ? 'of an offering without a limit' : `of an offering of ${offered} USD`,
  ];
  return `${issuer ?? 'The company'} filed a notice of exempt securities (Form D): ${parts.filter((part) => part !== null).join(' ')}`;
}

/** Whole dollars; null for `Indefinite` and any other text. */
function amountAt(value: JsonValue | undefined, name: string): number | null {
  const text = textAt(value, name)?.replace(/[$,\s]/g, '') ?? '';
  return /^\d{1,15}(?:\.\d+)?$/.test(text) ? Math.trunc(Number(text)) : null;
}

/** The notice that this one amends; null: it is the first of its offering. */
function amended(offering: JsonObject): string | null {
  const [accession] =
    ACCESSION.exec(textAt(offering, 'typeOfFiling', 'newOrAmendment', 'previousAccessionNumber') ?? '') ?? [];
  return accession ?? null;
}
