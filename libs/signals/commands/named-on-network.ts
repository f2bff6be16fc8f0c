import {
  networkUrl,
  parseDomain,
  parseHandle,
  type DomainIdentifier,
  type HandleIdentifier,
} from '#kernel/values/network-identifiers.js';
import { fieldError, type Refusal } from '#kernel/values/refusal.js';
import { companyStub, observedCompanyOf } from '#identities/observed-facts.js';
import type { ObservedCompany } from '#identities/domain/companies/company-facts.js';
import type { Resolution } from '#network/network-directory.port.js';
import { invalidInput } from '#ops/support/amounts.js';
import type { OperatorHost } from '#ops/support/operator-command.js';

type NamedCompany = {
  readonly company_domain?: string | null;
  readonly company_network_handle?: string | null;
};

/** The named company, by its handle before its domain (OP-10); null if none is named. Throws `invalidInput`. */
export async function namedCompany(
  host: Pick<OperatorHost, 'network' | 'networkBaseUrl'>,
  input: NamedCompany,
): Promise<ObservedCompany | null> {
  const { company_domain: namedDomain, company_network_handle: namedHandle } = input;
  const field = typeof namedHandle === 'string' ? 'company_network_handle' : 'company_domain';
  const named = namedHandle ?? namedDomain;
  if (typeof named !== 'string') return null;
  const identifier = identifierOf<HandleIdentifier | DomainIdentifier>(
    field,
    field === 'company_domain' ? parseDomain(named) : parseHandle(named),
  );
  const [found] = await host.network.directory.resolveCompanies([identifier]);
  const facts = factsOf(field, found);
  if (facts !== null) return observedCompanyOf(facts);
  if (identifier.by === 'domain')
    return companyStub({ handle: null, domain: identifier.domain, networkUrl: null });
  const { handle } = identifier;
  return companyStub({
    handle,
    domain: null,
    networkUrl: networkUrl(host.networkBaseUrl, 'company', handle),
  });
}

/** The identifier in a field. Throws `invalidInput` with the field name if the text is no identifier. */
export function identifierOf<Identifier extends HandleIdentifier | DomainIdentifier>(
  field: string,
  identifier: Identifier | null,
): Identifier {
  if (identifier === null) throw fault(field, 'is no identifier of the network');
  return identifier;
}

/**
 * The facts of the network; null if it has none yet. Throws `invalidInput` if the network knows that there is no such
 * person or company.
 */
export function factsOf<Facts>(field: string, resolution: Resolution<Facts> | undefined): Facts | null {
  if (resolution === undefined) throw new Error(`the directory gave no answer for ${field}`);
  switch (resolution.outcome) {
    case 'found':
      return resolution.facts;
    case 'unknown':
      return null;
    case 'missing':
      throw fault(field, 'does not exist on the network');
    case 'ambiguous':
      throw fault(field, 'stands for several companies');
    case 'wrong_kind':
      throw fault(field, `is a ${resolution.actual}`);
  }
}

const fault = (field: string, message: string): Refusal =>
  invalidInput({ errors: fieldError(field, message) });
