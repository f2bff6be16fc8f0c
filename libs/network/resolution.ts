import type { NetworkEntity, NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import type { Resolution } from './network-directory.port.js';
import type { Observation, ObservationKind } from './observation.js';

/** Something that goes by the name looked up. */
export type Named = {
  readonly kind: ObservationKind;
  readonly ref: string;
  readonly observation: () => Observation | null;
};

const UNKNOWN = { outcome: 'unknown' } as const;
const MISSING = { outcome: 'missing' } as const;

/** What an identifier stands for (OP-10), told from everything that goes by that name. */
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

/** Who goes by that name, directly or by an alias. A company that a source made gives way to an observed one (SRC-04). */
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

/** The ref of a company that a source made of a domain which nobody had observed (SRC-04). */
export const madeCompanyRef = (domain: string): string => `${MADE}${domain}`;

const MADE = 'domain:';
/** Whether a source made it: nobody has observed it. */
export const isMade = (ref: string): boolean => ref.startsWith(MADE);

function isMissing(named: readonly Named[], entity: NetworkEntity): boolean {
  return named.some(({ kind, observation }) => {
    if (kind !== 'missing') return false;
    const missing = observation();
    return missing?.kind === 'missing' && (missing.entity === null || missing.entity === entity);
  });
}

/** Names that stand for nothing, so that failures can be tried without ingested data (OP-10). */
function isReserved(identifier: NetworkIdentifier): boolean {
  return identifier.by === 'domain'
    ? identifier.domain.endsWith('.invalid')
    : identifier.handle.startsWith('missing-');
}
