import { parseDomain, parseHandle, type NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import type { NetworkStore } from '#network/network-store.js';
import { isMade, madeCompanyRef } from '#network/resolution.js';
import type { SourceDocument } from '#projections/sources/sources/sources.projection.js';
import type { Names, RefsOfNames } from './source-kind.js';
import { sightingOf } from './sighting-of.js';

export type Subject = NonNullable<SourceDocument['subject']>;

/** Who a source is bound to, as it is known now: by ref, or why that is not known. */
export type SubjectFound = { readonly ref: string } | { readonly unknown: string };

type Network = Pick<NetworkStore, 'directory' | 'write'>;

/**
 * The company or person that a source is bound to, as it is known now (SRC-04); a company of a domain that nobody
 * observed is made, and gives way to an observed one. A source that says itself whose its items are has none.
 */
export async function subjectRefOf(
  network: Network,
  subject: Subject | null,
  nowMs: number,
): Promise<SubjectFound> {
  if (subject === null) return { ref: '' };
  const found = await findSubject(network, subject);
  if (!('made' in found)) return found;
  const { made: domain } = found;
  const ref = madeCompanyRef(domain);
  const line = { kind: 'company', ref, rev: 'auto', domains: [domain], name: domain };
  const made = sightingOf(line, nowMs, null);
  if (made !== null) await network.write([made]);
  return { ref };
}

/** The same, where nothing is made yet: `made` names the domain that a company would be made of. */
export async function findSubject(
  { directory }: Pick<Network, 'directory'>,
  { entity, by, value }: Subject,
): Promise<SubjectFound | { readonly made: string }> {
  const identifier: NetworkIdentifier | null = by === 'domain' ? parseDomain(value) : parseHandle(value);
  if (identifier === null) return { unknown: `${value} is no ${by}` };
  const [found] =
    entity === 'company'
      ? await directory.resolveCompanies([identifier])
      : await directory.resolvePeople([identifier]);
  switch (found?.outcome) {
    case 'found':
      return { ref: found.facts.ref };
    case 'ambiguous':
      return { unknown: `${value} names several: ${found.refs.join(', ')}` };
    case 'wrong_kind':
      return { unknown: `${value} is no ${entity}` };
    case 'missing':
      return { unknown: `the network has no ${entity} at ${value}` };
    case 'unknown':
    case undefined:
      return entity === 'company' && identifier.by === 'domain'
        ? { made: identifier.domain }
        : { unknown: `no ${entity} that was observed goes by the ${by} ${value}` };
  }
}

/** The companies and people that are observed under these names; what a source made is no one's yet (SRC-04). */
export async function refsOfNames(
  { directory }: Pick<Network, 'directory'>,
  { domains, handles }: Names,
): Promise<RefsOfNames> {
  const byDomain = domains.map((domain) => ({ by: 'domain', domain }) as const);
  const byHandle = handles.map((handle) => ({ by: 'handle', handle, entity: null }) as const);
  const none = Promise.resolve([]);
  const [ofDomains, people, companies] = await Promise.all([
    domains.length === 0 ? none : directory.resolveCompanies(byDomain),
    handles.length === 0 ? none : directory.resolvePeople(byHandle),
    handles.length === 0 ? none : directory.resolveCompanies(byHandle),
  ]);
  const known = (
    found: { readonly outcome: string; readonly facts?: { readonly ref: string } } | undefined,
  ) => (found?.facts === undefined || isMade(found.facts.ref) ? null : found.facts.ref);
  return {
    domains: refsBy(domains, (index) => known(ofDomains[index])),
    handles: refsBy(handles, (index) => known(people[index]) ?? known(companies[index])),
  };
}

function refsBy(
  names: readonly string[],
  refAt: (index: number) => string | null,
): ReadonlyMap<string, string> {
  const refs = new Map<string, string>();
  names.forEach((name, index) => {
    const ref = refAt(index);
    if (ref !== null) refs.set(name, ref);
  });
  return refs;
}
