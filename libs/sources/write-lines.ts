import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NetworkStore } from '#network/network-store.js';
import type { Reading, Sighting } from '#network/sighting.js';
import { charactersOf, nextPiece, type Pieces } from './pieces.js';
import { sightingOf } from './sighting-of.js';
import type { SeenLine } from './source-kind.js';

type Written = {
  readonly lines: number;
  readonly added: number;
  readonly changed: number;
  /** Items without a text, or with a form that the store does not accept. */
  readonly skipped: number;
};

type Writing = {
  readonly reading: Reading;
  /** Whether the reading counts as one about each company and person of its lines. */
  readonly marksSubjects: boolean;
  readonly signal: AbortSignal;
  /** Called with the number of written lines, if the total is known. */
  readonly onItems: (done: number, total: number) => void;
};

/** Writes lines in pieces as they arrive: transactions are short, and memory is bounded. */
export async function writeLines(
  network: Pick<NetworkStore, 'polls' | 'write'>,
  { lines, items: total }: { readonly lines: Pieces<SeenLine>; readonly items: number | null },
  { reading, marksSubjects, signal, onItems }: Writing,
): Promise<Written> {
  const written = { lines: 0, added: 0, changed: 0, skipped: 0 };
  for await (const { items, skipped } of lines) {
    written.skipped += skipped;
    const left = items.values();
    for (let isLast = items.length === 0; !isLast;) {
      signal.throwIfAborted();
      const next = nextPiece(left, ({ line }) => charactersOf(line));
      isLast = next.isLast;
      const { items: some } = next.piece;
      const sightings = some.flatMap(({ line, sentAtMs }) => sightingOf(line, sentAtMs, reading) ?? []);
      const isKnown = await knownAmong(network, sightings);
      const outcomes = await network.write(sightings);
      sightings.forEach((sighting, index) => {
        const outcome = outcomes[index];
        if (typeof outcome === 'object') written.skipped += 1;
        if (outcome !== 'accepted') return;
        if (isKnown(sighting)) written.changed += 1;
        else written.added += 1;
      });
      if (marksSubjects) await network.polls.markRead(aboutOf(sightings), reading.readAtMs);
      written.skipped += some.length - sightings.length;
      written.lines += some.length;
      if (total !== null) onItems(written.lines, total);
      // Requests are served between two transactions.
      await nextTurn();
    }
  }
  return written;
}

/** The companies and people of these lines. */
function aboutOf(sightings: readonly Sighting[]): readonly string[] {
  const refs = sightings.flatMap(({ observation }) => {
    if (observation.kind === 'company') return [observation.ref];
    if (observation.kind === 'post') return [observation.authorRef ?? []].flat();
    if (observation.kind !== 'person') return [];
    return (observation.experiences ?? []).flatMap(({ companyRef }) => companyRef ?? []);
  });
  return [...new Set(refs)];
}

/** Whether each sighting was observed before. */
async function knownAmong(
  { polls }: Pick<NetworkStore, 'polls'>,
  sightings: readonly Sighting[],
): Promise<(sighting: Sighting) => boolean> {
  const known = new Map<string, ReadonlySet<string>>();
  for (const kind of new Set(sightings.map(({ observation }) => observation.kind))) {
    const refs = sightings.filter(({ observation }) => observation.kind === kind);
    known.set(
      kind,
      await polls.known(
        kind,
        refs.map(({ observation }) => observation.ref),
      ),
    );
  }
  return ({ observation: { kind, ref } }) => known.get(kind)?.has(ref) === true;
}
