import { parseDomain, parseHandle } from '#kernel/values/network-identifiers.js';
import { PERSON_TEXTS, PLACE, type CsvKind } from './csv-mapping.js';
import { momentOf } from './answer-fields.js';
import { redactContacts } from './redact-contacts.js';
import type { Line } from './source-kind.js';

/** The cells of a row by their meaning; an empty cell is null. */
export type Cell = (member: string) => string | null;

/** Refs of companies and people in rows; null if the name is not observed or is ambiguous. */
export type NamedRefs = {
  readonly ofDomain: (domain: string) => string | null;
  readonly ofHandle: (handle: string) => string | null;
};

type Of = { readonly ref: string; readonly redactsContacts: boolean };
type Row = Of & { readonly cell: Cell; readonly refs: NamedRefs };

/** A row as a line for ingestion; null if it lacks a required value. */
export function csvLine(kind: CsvKind, row: Row): Line | null {
  switch (kind) {
    case 'company':
      return companyOf(row);
    case 'person':
      return personOf(row);
    case 'post':
      return postOf(row);
  }
}

function companyOf({ ref, cell }: Row): Line | null {
  const domains = (cell('domain') ?? '').split(/[\s,;|]+/).filter((text) => parseDomain(text) !== null);
  const handle = handleOf(cell);
  if (handle === null && domains.length === 0) return null;
  const place = placeOf(cell);
  return {
    kind: 'company',
    ref,
    rev: 'auto',
    ...texts(cell, ['name', 'industry', 'employee_range', 'tagline', 'activity_summary', 'logo_url']),
    handle,
    domains,
    employees: wholeNumber(cell('employees')),
    founded_year: wholeNumber(cell('founded_year')),
    locations: place === null ? null : [{ is_hq: true, ...place }],
  };
}

function personOf({ ref, cell, refs }: Row): Line | null {
  const handle = handleOf(cell);
  if (handle === null && cell('first_name') === null && cell('last_name') === null) return null;
  return {
    kind: 'person',
    ref,
    rev: 'auto',
    ...texts(cell, PERSON_TEXTS),
    handle,
    geo: placeOf(cell),
    experiences: positionOf(cell, refs),
    observed_at: momentOf(cell('observed_at')),
  };
}

/** The current position. An empty cell makes no statement: it does not mean that a person left a company. */
function positionOf(cell: Cell, refs: NamedRefs): readonly object[] | null {
  const [title, companyName, domain] = [cell('title'), cell('company_name'), cell('company_domain')];
  if (companyName === null && domain === null) return null;
  const position = {
    title,
    company_name: companyName ?? domain,
    company_ref: domain === null ? null : refs.ofDomain(domain),
    start_date: partialDate(cell('start_date')),
    ...texts(cell, ['department', 'seniority']),
  };
  return [position];
}

function postOf({ ref, cell, refs, redactsContacts }: Row): Line | null {
  const text = cell('text');
  if (text === null) return null;
  const [handle, domain] = [cell('author_handle'), cell('author_domain')];
  const byHandle = handle === null ? null : refs.ofHandle(handle);
  return {
    kind: 'post',
    ref,
    rev: 'auto',
    author_ref: byHandle ?? (domain === null ? null : refs.ofDomain(domain)),
    url: cell('url'),
    text: redactsContacts ? redactContacts(text) : text,
    published_at: momentOf(cell('published_at')),
  };
}

/** A text that is no handle, as `n/a` or the address of another kind of page, makes no statement. */
const handleOf = (cell: Cell): string | null => parseHandle(cell('handle') ?? '')?.handle ?? null;

const texts = (cell: Cell, members: readonly string[]): Record<string, string | null> =>
  Object.fromEntries(members.map((member) => [member, cell(member)]));

function placeOf(cell: Cell): Record<string, string | null> | null {
  const place = texts(cell, PLACE);
  return Object.values(place).every((part) => part === null) ? null : place;
}

/** The number in `1,200`, `1 200` and `1200`; null for anything else. */
function wholeNumber(text: string | null): number | null {
  const digits = (text ?? '').replace(/(?<=\d)[,.' \u00a0\u202f](?=\d{3}(?!\d))/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

const COMPACT_DATE = /^(\d{4})(\d{2})(\d{2})$/;
const PARTIAL_DATE = /^\d{4}(?!\d)(?:-(?:0[1-9]|1[0-2])(?!\d)(?:-(?:0[1-9]|[12]\d|3[01])(?!\d))?)?/;

/** The valid beginning of a date; null for any other text, as the number of a day in a spreadsheet. */
function partialDate(text: string | null): string | null {
  const written = (text ?? '').replace(COMPACT_DATE, '$1-$2-$3');
  return PARTIAL_DATE.exec(written)?.[0] ?? null;
}
