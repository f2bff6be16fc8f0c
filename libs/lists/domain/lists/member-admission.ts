import { bounded } from '#kernel/values/bounded-text.js';
import type { JsonObject } from '#kernel/values/json.js';
import {
  networkUrl,
  parseDomain,
  parseHandle,
  parseNetworkUrl,
  type NetworkEntity,
  type NetworkIdentifier,
} from '#kernel/values/network-identifiers.js';
import type { ListKind } from './list.events.js';
import type { AddedMember } from './member.events.js';
import type { NetworkIdentity } from './membership.js';

/** Decides row by row who may become a member (OP-10, OP-45). Pure: the caller asks the directory in between. */

export type RowErrorCode =
  | 'multiple_domain_matches'
  | 'lookup_failed'
  | 'resolution_failed'
  | 'wrong_entity_type'
  | 'invalid_identifier';

/** A rejected row: as it was sent, and the reason. */
export type RowError = {
  readonly input: JsonObject;
  readonly code: RowErrorCode;
  readonly message: string;
};

/** A row as sent; `company` is the employer of a champion. */
export type MemberRow = {
  readonly input: JsonObject;
  readonly networkUrl: string | null;
  readonly networkHandle: string | null;
  readonly domain: string | null;
  readonly company: AddedMember['baselineCompany'] | null;
};

/** The look-up of a row: its first identifier and, for a company with a handle, the domain beside it. */
export type Lookup = {
  readonly row: MemberRow;
  readonly kind: ListKind;
  /** null: the row has no usable identifier. */
  readonly identifier: NetworkIdentifier | null;
  readonly hint: NetworkIdentifier | null;
};

/** The answer of the network directory for an identifier, with the fields needed here. */
export type Known = {
  readonly handle: string | null;
  readonly networkUrl: string | null;
  readonly domains: readonly string[];
  readonly name: string | null;
  readonly logoUrl: string | null;
};
export type LookupAnswer =
  | { readonly outcome: 'found'; readonly facts: Known }
  | { readonly outcome: 'ambiguous' | 'wrong_kind' | 'missing' | 'unknown' };

/** A member that may be added, but for its id. */
export type MemberCandidate = Omit<AddedMember, 'memberId'>;

export const entityOf = (kind: ListKind): NetworkEntity => (kind === 'company' ? 'company' : 'person');

/** Reads a row: the network URL is preferred to the handle, and the handle to the domain. */
export function lookupOf(kind: ListKind, row: MemberRow): Lookup {
  const domain = row.domain === null ? null : parseDomain(row.domain);
  const byDomain = row.networkUrl === null && row.networkHandle === null;
  // A domain is never a person; the directory rejects it.
  if (byDomain && kind === 'profile' && row.domain !== null) {
    return { row, kind, identifier: { by: 'domain', domain: row.domain }, hint: null };
  }
  if (byDomain) return { row, kind, identifier: domain, hint: null };
  const identifier =
    row.networkUrl === null ? parseHandle(row.networkHandle ?? '') : parseNetworkUrl(row.networkUrl);
  return { row, kind, identifier, hint: kind === 'company' ? domain : null };
}

/** The identifiers to look up in the directory, in the order of the answers that `judge` expects. */
export function identifiersOf(lookups: readonly Lookup[]): readonly NetworkIdentifier[] {
  return lookups.flatMap(({ identifier, hint }) => [identifier, hint].filter((asked) => asked !== null));
}

export type Verdict =
  | { readonly admitted: true; readonly candidate: MemberCandidate }
  | { readonly admitted: false; readonly error: RowError };

/** One verdict per row, in order. `answers` belong to `identifiersOf`; `baseUrl` is the address of the network's pages. */
export function judge(
  lookups: readonly Lookup[],
  answers: readonly LookupAnswer[],
  baseUrl: string,
): readonly Verdict[] {
  let taken = 0;
  const take = (): LookupAnswer | null => answers[taken++] ?? null;
  return lookups.map((lookup) => {
    const answer = lookup.identifier === null ? null : take();
    const hinted = lookup.hint === null ? null : take();
    const refused = refusedBecause(lookup, answer);
    if (refused !== null) {
      return { admitted: false, error: { input: lookup.row.input, ...refused } };
    }
    return { admitted: true, candidate: candidateOf(lookup, answer, hinted, baseUrl) };
  });
}

type Reason = Pick<RowError, 'code' | 'message'>;

function refusedBecause({ kind, identifier }: Lookup, answer: LookupAnswer | null): Reason | null {
  if (identifier === null || answer === null) {
    return { code: 'invalid_identifier', message: 'is no usable network URL, handle or domain' };
  }
  switch (answer.outcome) {
    case 'found':
    case 'unknown':
      return null;
    case 'ambiguous':
      return { code: 'multiple_domain_matches', message: 'stands for several companies' };
    case 'wrong_kind': {
      const message =
        kind === 'company' ? 'is a person; the list holds companies' : 'is a company; the list holds people';
      return { code: 'wrong_entity_type', message };
    }
    case 'missing':
      return identifier.by === 'domain'
        ? { code: 'lookup_failed', message: 'no company could be found or created from the domain' }
        : { code: 'resolution_failed', message: 'is not on the network' };
  }
}

const NAME_LENGTH = 255;
const URL_LENGTH = 2_048;
/** Several domains of one company identify the same company. */
const MOST_DOMAINS = 25;

/** The name and the picture on the network, as far as a member keeps them. */
export const keptOf = ({ name, logoUrl }: Pick<Known, 'name' | 'logoUrl'>) => ({
  name: bounded(name, NAME_LENGTH),
  logoUrl: logoUrl === null || logoUrl.length > URL_LENGTH ? null : logoUrl,
});

/** A person without any observation is added as named, with the identifiers only. */
function candidateOf(
  { row, kind, identifier, hint }: Lookup,
  answer: LookupAnswer | null,
  hinted: LookupAnswer | null,
  baseUrl: string,
): MemberCandidate {
  const baseline = row.company === null ? {} : { baselineCompany: row.company };
  // A domain of another company contradicts the handle: the handle is preferred.
  const beside = hint?.by === 'domain' && hinted?.outcome === 'unknown' ? [hint.domain] : [];
  if (answer?.outcome === 'found') {
    const { handle, networkUrl: url, domains } = answer.facts;
    return {
      handle,
      networkUrl: url,
      domains: [...domains.slice(0, MOST_DOMAINS - beside.length), ...beside],
      ...keptOf(answer.facts),
      ...baseline,
    };
  }
  const handle = identifier?.by === 'handle' ? identifier.handle : null;
  return {
    handle,
    networkUrl: handle === null ? null : networkUrl(baseUrl, entityOf(kind), handle),
    domains: identifier?.by === 'domain' ? [identifier.domain] : beside,
    name: null,
    logoUrl: null,
    ...baseline,
  };
}

/** The identity of a row without a look-up: a sync keeps a member that the directory cannot resolve now. */
export function claimedIdentity({ identifier }: Lookup): NetworkIdentity | null {
  if (identifier === null) return null;
  return identifier.by === 'handle'
    ? { handle: identifier.handle, domains: [] }
    : { handle: null, domains: [identifier.domain] };
}
