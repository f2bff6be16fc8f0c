import {
  parseDomain,
  parseHandle,
  parseNetworkUrl,
  type NetworkIdentifier,
} from '#kernel/values/network-identifiers.js';
import { companiesNamed, namesCompany, ownCompany, type NamingPorts } from '#identities/companies-named.js';
import { endOf, startOf } from '#kernel/values/instants.js';
import { refusal } from '#kernel/values/refusal.js';
import { note, type Faults } from '#kernel/values/faults.js';
import { REQUEST_TYPES } from '#accounts/domain/content-requests/content-request.events.js';
import { REQUEST_STAGES } from '#accounts/answers/content-request.view.js';
import {
  anyOfQuery,
  idQuery,
  instantQuery,
  offsetPage,
  readTexts,
  textListQuery,
  type RawQuery,
  type ValuesOf,
} from '#http/parameters.js';

/** The limits of the values of one company identifier. */
export const IDENTIFIER_LIMITS = { count: 100, maximum: 2_048 };
const identifiers = () => textListQuery({ ...IDENTIFIER_LIMITS, invalid: 400 });

/** Filters of content requests: parameters of the GET and, with the same names, members of the POST. */
export const requestFilters = {
  page: offsetPage({ invalid: 400 }),
  date_from: instantQuery(400),
  date_to: instantQuery(400),
  type: anyOfQuery(REQUEST_TYPES, 400),
  stage: anyOfQuery(REQUEST_STAGES, 400),
  company_id: idQuery(400),
  company_network_handle: identifiers(),
  company_network_url: identifiers(),
  company_domain: identifiers(),
};
export type RequestFilters = ValuesOf<typeof requestFilters>;

/** Reads the filters of a JSON body like those of a query string, and adds the faults. */
export function filtersOfBody(body: object, faults: Faults): RequestFilters {
  const raw: RawQuery = Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const text = asParameter(name, value);
      if (text === null) note(faults, name, expectation(name));
      return text === null ? [] : [[name, text] as const];
    }),
  );
  return {
    page: requestFilters.page.read('page', raw, faults),
    date_from: requestFilters.date_from.read('date_from', raw, faults),
    date_to: requestFilters.date_to.read('date_to', raw, faults),
    type: requestFilters.type.read('type', raw, faults),
    stage: requestFilters.stage.read('stage', raw, faults),
    company_id: requestFilters.company_id.read('company_id', raw, faults),
    company_network_handle: identifiersOf('company_network_handle', raw, faults),
    company_network_url: identifiersOf('company_network_url', raw, faults),
    company_domain: identifiersOf('company_domain', raw, faults),
  };
}

/** An entry of an array is one identifier, also with a comma in it, as in a URL: only a text alone is split. */
function identifiersOf(
  name: 'company_network_handle' | 'company_network_url' | 'company_domain',
  raw: RawQuery,
  faults: Faults,
): readonly string[] | null {
  const sent = raw[name];
  if (typeof sent === 'string' || sent === undefined) return requestFilters[name].read(name, raw, faults);
  return readTexts(name, sent, IDENTIFIER_LIMITS, faults);
}

const NUMBERS = new Set(['page', 'page_size', 'company_id']);
const DATES = new Set(['date_from', 'date_to']);

/** A member of a body as a query string value; null if it has a wrong type. */
function asParameter(name: string, value: unknown): string | readonly string[] | null {
  if (NUMBERS.has(name)) return typeof value === 'number' ? String(value) : null;
  if (typeof value === 'string') return value;
  if (DATES.has(name) || !Array.isArray(value) || value.length === 0) return null;
  const texts: readonly unknown[] = value;
  const strings = texts.filter((text) => typeof text === 'string');
  return strings.length === texts.length ? strings : null;
}

function expectation(name: string): string {
  if (NUMBERS.has(name)) return 'must be an integer';
  return DATES.has(name)
    ? 'must be an ISO 8601 date or timestamp'
    : 'must be a string, or an array of strings that is not empty';
}

/** The requested period, both ends inclusive; an end before its start is a fault. */
export function periodOf(
  { date_from, date_to }: Pick<RequestFilters, 'date_from' | 'date_to'>,
  faults: Faults,
) {
  const from = date_from === null ? null : startOf(date_from).toISOString();
  const to = date_to === null ? null : endOf(date_to).toISOString();
  if (from !== null && to !== null && from > to) note(faults, 'date_from', 'must not be after date_to');
  return { from, to };
}

export const noCompanyResolved = refusal({
  code: 'no-company-resolved',
  kind: 'missing',
  detail: 'None of the companies is known in the workspace.',
});

/** A company in the filters, with the identifier. */
export type ResolvedCompany = {
  readonly company_id: number;
  readonly matched_by: 'company_id' | 'network_handle' | 'network_url' | 'domain';
  /** As it was sent. */
  readonly identifier: string;
};

type Identifiers = Pick<
  RequestFilters,
  'company_id' | 'company_network_handle' | 'company_network_url' | 'company_domain'
>;

/** What resolving the companies of a filter reads. */
export type RequestFilterPorts = NamingPorts;

/**
 * The companies of the one kind of identifier that counts: the highest one sent, whether or not it can be resolved.
 * null if none was sent. Throws `noCompanyResolved`.
 */
export async function resolvedCompanies(
  ports: RequestFilterPorts,
  workspaceId: number,
  sent: Identifiers,
): Promise<readonly ResolvedCompany[] | null> {
  const resolved = await companiesOfOneKind(ports, workspaceId, sent);
  if (resolved?.length === 0) throw noCompanyResolved();
  return resolved;
}

async function companiesOfOneKind(
  ports: RequestFilterPorts,
  workspaceId: number,
  sent: Identifiers,
): Promise<readonly ResolvedCompany[] | null> {
  const { company_id, company_network_handle, company_network_url, company_domain } = sent;
  if (company_id !== null) {
    const own = await ownCompany(ports.readModels, workspaceId, company_id);
    if (own === null) return [];
    return [{ company_id: own.id, matched_by: 'company_id', identifier: String(company_id) }];
  }
  const find = (
    matched_by: ResolvedCompany['matched_by'],
    texts: readonly string[],
    parse: (text: string) => NetworkIdentifier | null,
  ) => identified(ports, workspaceId, { matched_by, texts, parse });
  if (company_network_handle !== null) return find('network_handle', company_network_handle, parseHandle);
  if (company_network_url !== null) return find('network_url', company_network_url, parseNetworkUrl);
  if (company_domain !== null) return find('domain', company_domain, parseDomain);
  return null;
}

/** Companies of the workspace with these identifiers, in the order in which those were sent. */
async function identified(
  ports: RequestFilterPorts,
  workspaceId: number,
  {
    matched_by,
    texts,
    parse,
  }: {
    readonly matched_by: ResolvedCompany['matched_by'];
    readonly texts: readonly string[];
    readonly parse: (text: string) => NetworkIdentifier | null;
  },
): Promise<readonly ResolvedCompany[]> {
  const asked = [...new Set(texts)].flatMap((text) => {
    const identifier = parse(text);
    return namesCompany(identifier) ? [{ text, identifier }] : [];
  });
  const known = await companiesNamed(
    ports,
    workspaceId,
    asked.map(({ identifier }) => identifier),
  );
  const named = new Set<number>();
  return asked.flatMap(({ text }, index) =>
    (known[index] ?? [])
      .filter(({ id }) => !named.has(id))
      .map(({ id }) => {
        named.add(id);
        return { company_id: id, matched_by, identifier: text };
      }),
  );
}
