import { parseDomain, parseHandle, type NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import type { NetworkStore } from '#network/network-store.js';
import { isMade, madeCompanyRef } from '#network/resolution.js';
import type { SourceDocument } from '#projections/sources/sources/sources.projection.js';
import type { Names, RefsOfNames } from './source-kind.js';
import { sightingOf } from './sighting-of.js';

export type Subject = NonNullable<SourceDocument['subject']>;

/** The current ref of a source's subject, or why it is unknown. */
export type SubjectFound = { readonly ref: string } | { readonly unknown: string };

type Network = Pick<NetworkStore, 'directory' | 'write'>;

/**
 * The current company or person of a source (SRC-04). For an unobserved domain a company is created, which an
 * observed one replaces later. `readFor`: the ref for which the source was read until now; null: none. If that was an
 * observed company which has left the domain, none is created, and none that was created before is used: it would be a
 * second one. A source whose items name their subjects has none.
 */
export async function subjectRefOf(
  network: Network,
  subject: Subject | null,
  readFor: string | null,
  nowMs: number,
): Promise<SubjectFound> {
  if (subject === null) return { ref: '' };
  const found = await findSubject(network, subject);
  const isUnobserved = 'made' in found || ('ref' in found && isMade(found.ref));
  if (isUnobserved && readFor !== null && !isMade(readFor))
    return {
      unknown: `no company that was observed has the domain ${subject.value} any more: it was that of ${readFor}`,
    };
  if (!('made' in found)) return found;
  const { made: domain } = found;
  const ref = madeCompanyRef(domain);
  const line = { kind: 'company', ref, rev: 'auto', domains: [domain], name: domain };
  const made = sightingOf(line, nowMs, null);
  if (made !== null) await network.write([made]);
  return { ref };
}

/** The same without creating anything: `made` names the domain for which a company would be created. */
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

/** The observed companies and people with these names; companies created by sources do not count (SRC-04). */
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
