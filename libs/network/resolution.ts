import type { NetworkEntity, NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import type { Resolution } from './network-directory.port.js';
import type { Observation, ObservationKind } from './observation.js';

/** A thing with the name that is looked up. */
export type Named = {
  readonly kind: ObservationKind;
  readonly ref: string;
  readonly observation: () => Observation | null;
};

const UNKNOWN = { outcome: 'unknown' } as const;
const MISSING = { outcome: 'missing' } as const;

/** The result of looking up an identifier (OP-10), from everything with that name. */
export function resolution<Facts>(
  entity: NetworkEntity,
  identifier: NetworkIdentifier,
  named: readonly Named[],
  facts: (ref: string) => Facts | null,
): Resolution<Facts> {
  const other = entity === 'company' ? 'person' : 'company';
  const wrongKind = { outcome: 'wrong_kind', actual: other } as const;
  if (identifier.by === 'handle' && identifier.entity === other) return wrongKind;
  if (identifier.by === 'domain' && entity === 'person') return wrongKind;
  const refs = refsNamed(named, entity);
  const [ref] = refs;
  if (ref !== undefined && refs.length > 1) return { outcome: 'ambiguous', refs };
  const found = ref === undefined ? null : facts(ref);
  if (found !== null) return { outcome: 'found', facts: found };
  if (isMissing(named, entity) || isReserved(identifier)) return MISSING;
  const bare = identifier.by === 'handle' && identifier.entity === null;
  return bare && named.some(({ kind }) => kind === other) ? wrongKind : UNKNOWN;
}

/**
 * The refs with that name, directly or by an alias. An observed company replaces one that a source created (SRC-04).
 */
export function refsNamed(named: readonly Named[], entity: NetworkEntity): readonly string[] {
  const own = named.filter(({ kind }) => kind === entity).map(({ ref }) => ref);
  const shared = named.flatMap(({ kind, observation }) => {
    if (kind !== 'alias' || entity !== 'company') return [];
    const alias = observation();
    return alias?.kind === 'alias' ? alias.companyRefs : [];
  });
  const refs = [...new Set([...own, ...shared])].sort();
  const observed = refs.filter((ref) => !isMade(ref));
  return observed.length > 0 ? observed : refs;
}

/** The ref of a company that a source created for a domain that was not observed (SRC-04). */
export const madeCompanyRef = (domain: string): string => `${MADE}${domain}`;

const MADE = 'domain:';
/** Whether a source created it without an observation. */
export const isMade = (ref: string): boolean => ref.startsWith(MADE);

function isMissing(named: readonly Named[], entity: NetworkEntity): boolean {
  return named.some(({ kind, observation }) => {
    if (kind !== 'missing') return false;
    const missing = observation();
    return missing?.kind === 'missing' && (missing.entity === null || missing.entity === entity);
  });
}

/** Reserved names that never exist, so that failures can be tried without ingested data (OP-10). */
function isReserved(identifier: NetworkIdentifier): boolean {
  return identifier.by === 'domain'
    ? identifier.domain.endsWith('.invalid')
    : identifier.handle.startsWith('missing-');
}

/**
 * The refs by which earlier observations and findings may name a company, its present one first: a source may have made the
 * company for one of its domains before it was observed, and it is the same company (SRC-04).
 */
export const reportedRefsOf = ({
  ref,
  domains,
}: {
  readonly ref: string;
  readonly domains: readonly string[];
}): readonly [string, ...string[]] => (isMade(ref) ? [ref] : [ref, ...domains.map(madeCompanyRef)]);
