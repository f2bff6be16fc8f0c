import { grouped } from '#kernel/values/grouped.js';
import type { Arrival } from '#network/arrivals.port.js';
import { eachItem } from '#network/each-item.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import type { NetworkSource, ObservedMove } from '#network/network-source.port.js';

/** An arrival that may be the newest part of a signal. */
export type LiveArrival = {
  readonly arrival: Arrival;
  /** The date by which runs find it, in milliseconds. */
  readonly atMs: number;
  /** Refs of the companies that it is about, or whose people acted. */
  readonly companyRefs: ReadonlySet<string>;
};

type Host = { readonly network: NetworkSource; readonly directory: NetworkDirectory };
type Window = { readonly after: Date; readonly until: Date };

/**
 * The arrivals that a run with this window could find, with the companies involved: the current employers of people,
 * and for a move the old and the new employer. A person is there once for each move in the window.
 */
export async function liveArrivals(
  host: Host,
  arrivals: readonly Arrival[],
  { after, until }: Window,
): Promise<readonly LiveArrival[]> {
  const dated = arrivals.filter(({ kind, atMs }) => {
    if (kind === 'person') return true;
    return atMs !== null && atMs > after.getTime() && atMs <= until.getTime();
  });
  const people = dated.filter(({ kind }) => kind === 'person').map(({ ref }) => ref);
  const moves = await movesOf(host.network, people, { after, until });
  const actors = dated.flatMap(({ kind, subject, host: author }) =>
    kind === 'person' ? [] : [subject, author].filter((ref) => ref !== null),
  );
  const known = await host.directory.people([...new Set(actors)]);
  const companyOf = (ref: string | null): readonly string[] => {
    if (ref === null) return [];
    const person = known.get(ref);
    if (person === undefined) return [ref];
    const employer = person.current?.companyRef ?? null;
    return employer === null ? [] : [employer];
  };
  return dated.flatMap((arrival) => {
    const { kind, ref, atMs, subject, host: author } = arrival;
    if (kind !== 'person')
      return [
        { arrival, atMs: atMs ?? 0, companyRefs: new Set([...companyOf(subject), ...companyOf(author)]) },
      ];
    return (moves.get(ref) ?? []).map(({ observedAt, from, previous, current }) => ({
      arrival,
      atMs: Date.parse(observedAt),
      companyRefs: new Set([from, previous, current].flatMap((job) => job?.companyRef ?? [])),
    }));
  });
}

/** The moves of these people in the window, by person: several may arrive together. */
async function movesOf(
  source: NetworkSource,
  personRefs: readonly string[],
  window: Window,
): Promise<ReadonlyMap<string, readonly ObservedMove[]>> {
  const moves: ObservedMove[] = [];
  if (personRefs.length === 0) return new Map();
  const search = { ...window, of: { personRefs: [...new Set(personRefs)] } };
  for await (const move of eachItem((paging) => source.moves({ ...search, ...paging }))) moves.push(move);
  return grouped(moves.map((move) => [move.personRef, move] as const));
}
