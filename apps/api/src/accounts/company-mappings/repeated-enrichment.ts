import type { CommandContext } from '#kernel/commands/decider.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { hasReserved, launchedOn } from '#accounts/mappings/launches-of-day.js';
import type { ApiPorts } from '../../ports.js';
import { identifiedCompany } from './called-company.js';
import type { NamedTarget } from './enrichment-target.js';
import type { MappablePersona } from './personas-to-map.js';

/** The personas that were launched on a day, and those of them that an earlier attempt of the call has launched. */
export type LaunchedBefore = Awaited<ReturnType<typeof launchedOn>>;

/**
 * What an earlier attempt of the call has launched; null: nothing. The call is then answered from there, and what has changed
 * since cannot refuse it (OP-66).
 */
export async function launchedBefore(
  ports: ApiPorts,
  { workspaceId, context }: { readonly workspaceId: number; readonly context: CommandContext },
  { named, name }: NamedTarget,
): Promise<LaunchedBefore | null> {
  if (context.mayBeDoneSince === undefined) return null;
  const companyId =
    typeof named === 'number' ? named : (await identifiedCompany(ports, workspaceId, named, name)).companyId;
  if (companyId === null) return null;
  const requestDate = await requestDateOf(ports, workspaceId, companyId, context);
  const done = await launchedOn(ports, { workspaceId, companyId, requestDate }, context);
  return done.own.length === 0 ? null : done;
}

/** The personas of a call that was carried out: those that are launched, and those that cannot be. */
export function consideredBefore(
  considered: readonly MappablePersona[],
  { all, own }: LaunchedBefore,
): readonly MappablePersona[] {
  const launched = new Set(all);
  const known = considered.flatMap((persona) => {
    if (launched.has(persona.personaId)) return { ...persona, skipped: null };
    return persona.skipped === null ? [] : persona;
  });
  const named = new Set(known.map(({ personaId }) => personaId));
  const others = own.filter((personaId) => !named.has(personaId));
  return [...known, ...others.map((personaId) => ({ personaId, skipped: null }))];
}

/**
 * Today; if an earlier attempt of the same call began before midnight, the day of that attempt. `mayBeDoneSince` is
 * earlier than that attempt, possibly by a day.
 */
export async function requestDateOf(
  ports: ApiPorts,
  workspaceId: number,
  companyId: number | null,
  context: CommandContext,
): Promise<string> {
  const today = ports.clock.now().toISOString().slice(0, 10);
  const { mayBeDoneSince } = context;
  if (companyId === null || mayBeDoneSince === undefined) return today;
  for (let day = mayBeDoneSince.slice(0, 10); day < today; day = dayAfter(day))
    if (await hasReserved(ports, { workspaceId, companyId, requestDate: day }, context)) return day;
  return today;
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
