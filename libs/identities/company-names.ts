import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import type { CompanyIdentity } from './domain/companies/company.js';
import type { ObservedCompany } from './domain/companies/company-facts.js';

/** The other names of companies: one company has one record, by whichever of its names the workspace met it first. */

/** A company as observed or as sent; `alias` is a domain that was sent beside and that the network does not know (OP-52). */
export type SeenCompany = ObservedCompany & { readonly alias?: string | null };

/** The part of the network directory that finds companies. */
export type CompanyDirectory = Pick<NetworkDirectory, 'resolveCompanies'>;

const HANDLE = 'handle:';

const identityOfDomain = (domain: string): string => `domain:${domain}`;

/**
 * The identity by domain that was sent beside the handle of a company; null: none. Revision 0: nothing was observed, so the
 * domain in the facts was sent.
 */
export function aliasOf({ identity, rev, facts, alias = null }: SeenCompany): string | null {
  const domain = alias ?? (rev === 0 ? facts.domain : null);
  if (domain === null || !identity.startsWith(HANDLE)) return null;
  return identityOfDomain(domain);
}

/**
 * The companies of a call, each once and in the order of their first entry, and for each entry the index of its company. An
 * unobserved domain is the company that another entry names together with the domain.
 */
export function distinctCompanies(seen: readonly SeenCompany[]): {
  readonly distinct: readonly SeenCompany[];
  readonly indexes: readonly number[];
} {
  const companyOf = new Map<string, string>();
  for (const each of seen) {
    const alias = aliasOf(each);
    if (alias !== null && !companyOf.has(alias)) companyOf.set(alias, each.identity);
  }
  const names = seen.map(({ identity, rev }) => (rev === 0 ? companyOf.get(identity) : null) ?? identity);
  const distinct = new Map<string, SeenCompany>();
  seen.forEach((each, index) => {
    const name = names[index] ?? each.identity;
    const before = distinct.get(name);
    distinct.set(name, before === undefined || saysMore(each, before, name) ? each : before);
  });
  const places = new Map([...distinct.keys()].map((name, index) => [name, index] as const));
  return { distinct: [...distinct.values()], indexes: names.map((name) => places.get(name) ?? 0) };
}

/** Whether an entry says more about the company of this identity than an earlier entry. */
function saysMore(each: SeenCompany, before: SeenCompany, identity: string): boolean {
  if (each.identity !== identity) return false;
  if (before.identity !== identity) return true;
  return (
    each.rev > before.rev || (each.rev === before.rev && aliasOf(before) === null && aliasOf(each) !== null)
  );
}

/** A company that the workspace knows by a domain alone. */
export type Stub = Pick<CompanyIdentity, 'companyId' | 'isProvisional'> & { readonly identity: string };

/**
 * For each of these companies, those that the workspace knows by a domain alone and that turn out to be it, in the order of
 * its domains. `knownAs` looks up the identities of the workspace.
 */
export async function stubsOf(
  directory: CompanyDirectory,
  seen: readonly SeenCompany[],
  knownAs: (identities: readonly string[]) => Promise<readonly Omit<CompanyIdentity, 'rev'>[]>,
): Promise<readonly (readonly Stub[])[]> {
  const names = seen.length === 0 ? [] : await otherNamesOf(directory, seen);
  // Each of these streams is read: no append to the stream of a handle conflicts with that of a domain, and a sample of them
  // would prove nothing.
  const asked = [...new Set(names.flatMap(({ domains }) => domains))];
  const found = await knownAs(asked.map(identityOfDomain));
  const stubs = new Map<string, Stub>();
  asked.forEach((domain, index) => {
    const known = found[index];
    // A linked domain is that of a company with another handle.
    if (known === undefined || known.companyId === null || known.isLinked) return;
    stubs.set(domain, { ...known, identity: identityOfDomain(domain) });
  });
  const refs = await refsOf(directory, [...stubs.keys()]);
  return names.map(({ ref, domains }) => {
    // A domain that several observed companies share is that of none of them.
    const own = domains.filter((domain) => ref === null || refs.get(domain) === ref);
    return own.flatMap((domain) => stubs.get(domain) ?? []);
  });
}

/** The domains by which the workspace may know a company; `ref`: as the network knows it, null if it is not observed. */
type OtherNames = { readonly ref: string | null; readonly domains: readonly string[] };

async function otherNamesOf(
  directory: CompanyDirectory,
  seen: readonly SeenCompany[],
): Promise<readonly OtherNames[]> {
  const asked = seen.map(({ identity, facts }) => identifierOf(identity, facts.domain));
  const identifiers = asked.filter((identifier) => identifier !== null);
  const answers = identifiers.length === 0 ? [] : await directory.resolveCompanies(identifiers);
  let taken = 0;
  return seen.map(({ identity, facts }, index) => {
    const answer = asked[index] === null ? undefined : answers[taken++];
    const observed = answer?.outcome === 'found' ? answer.facts : null;
    const domains = observed?.domains ?? (facts.domain === null ? [] : [facts.domain]);
    const other = domains.filter((domain) => identityOfDomain(domain) !== identity);
    return { ref: observed?.ref ?? null, domains: other };
  });
}

/** What the network calls the company of each domain; a domain that is not that of one company is left out. */
async function refsOf(
  directory: CompanyDirectory,
  domains: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (domains.length === 0) return new Map();
  const answers = await directory.resolveCompanies(domains.map((domain) => ({ by: 'domain', domain })));
  return new Map(
    domains.flatMap((domain, index) => {
      const answer = answers[index];
      return answer?.outcome === 'found' ? [[domain, answer.facts.ref] as const] : [];
    }),
  );
}

function identifierOf(identity: string, domain: string | null): NetworkIdentifier | null {
  if (identity.startsWith(HANDLE)) {
    return { by: 'handle', handle: identity.slice(HANDLE.length), entity: 'company' };
  }
  return domain === null ? null : { by: 'domain', domain };
}
