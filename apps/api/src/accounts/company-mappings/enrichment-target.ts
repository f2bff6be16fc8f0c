import {
  networkUrl,
  parseDomain,
  parseHandle,
  parseNetworkUrl,
  type NetworkIdentifier,
} from '#kernel/values/network-identifiers.js';
import { refusal } from '#kernel/values/refusal.js';
import { note, type Faults } from '#kernel/values/faults.js';
import { companyStub, observedCompanyOf } from '#identities/observed-facts.js';
import { unknownCompany } from '#identities/domain/companies/company.js';
import type { ObservedCompany } from '#identities/domain/companies/company-facts.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';

/** A request names a company by exactly one of these. */
export type NamedCompany = {
  readonly domain?: string;
  readonly network_url?: string;
  readonly network_handle?: string;
  readonly company_id?: number;
};

export const companyConflict = refusal({
  code: 'company-conflict',
  kind: 'conflicting',
  detail: 'The identifier stands for several companies, or another request is just adding this one.',
});

export const TARGET_NAMES = ['domain', 'network_url', 'network_handle', 'company_id'] as const;

/** The company of a request: the member that named it, its value as sent, and the parsed value. */
export type NamedTarget = {
  readonly name: (typeof TARGET_NAMES)[number];
  readonly text: string;
  readonly named: number | NetworkIdentifier;
};

/** The company in a request: an id of the workspace, or an identifier of the network. Adds the faults. */
export function namedTarget(sent: NamedCompany, faults: Faults): NamedTarget | null {
  const name = TARGET_NAMES.find((each) => sent[each] !== undefined);
  if (name === undefined) throw new Error('a body that names no company was let through');
  const text = String(sent[name]);
  if (name === 'company_id') return { name, text, named: Number(sent.company_id) };
  const identifier = PARSERS[name](text);
  if (identifier === null) note(faults, name, 'is not a valid identifier');
  else if (identifier.by === 'handle' && identifier.entity === 'person') note(faults, name, 'names a person');
  else return { name, text, named: identifier };
  return null;
}

const PARSERS: {
  readonly [Name in Exclude<NamedTarget['name'], 'company_id'>]: (text: string) => NetworkIdentifier | null;
} = {
  domain: parseDomain,
  network_url: (text) => parseNetworkUrl(text),
  network_handle: (text) => parseHandle(text),
};

/**
 * The company of an identifier, from the network, or a stub of an unobserved one (OP-10). Throws `companyConflict` if
 * there are several, `unknownCompany` if the network knows that there is none. `null`: it is a person.
 */
export async function observedCompany(
  directory: NetworkDirectory,
  networkBaseUrl: string,
  identifier: NetworkIdentifier,
): Promise<{ readonly company: ObservedCompany; readonly domains: readonly string[] } | null> {
  const [resolution] = await directory.resolveCompanies([identifier]);
  switch (resolution?.outcome) {
    case 'found':
      return { company: observedCompanyOf(resolution.facts), domains: resolution.facts.domains };
    case 'ambiguous':
      throw companyConflict();
    case 'missing':
      throw unknownCompany({ detail: 'The network says that there is no such company.' });
    case 'wrong_kind':
      return null;
    case 'unknown':
    case undefined:
      return stubOf(networkBaseUrl, identifier);
  }
}

function stubOf(networkBaseUrl: string, identifier: NetworkIdentifier) {
  if (identifier.by === 'domain') {
    const { domain } = identifier;
    return { company: companyStub({ handle: null, domain, networkUrl: null }), domains: [domain] };
  }
  const { handle } = identifier;
  const page = networkUrl(networkBaseUrl, 'company', handle);
  return { company: companyStub({ handle, domain: null, networkUrl: page }), domains: [] };
}
