import { decodeEvent } from '#kernel/events/event-codec.js';
import type { Recorded } from '#kernel/events/event.js';
import { keysOf, projection, type Projection } from '#kernel/projections/projection.js';
import { projections } from '#projections/index.js';
import { allEvents } from '#runtime/vocabularies.js';
import { expectNone } from '#test/house/expect-none.js';
import { journal } from '#test/stored-data/journal.js';

const history: readonly Recorded<unknown>[] = journal.flatMap((event, place) => {
  const position = String(place).padStart(12, '0');
  const revision = BigInt(event.revision);
  return decodeEvent(allEvents, { ...event, revision, id: `event-${place}`, position }) ?? [];
});

/** Documents that events of different workspaces change, or events with and without one. */
function mixedDocuments(views: readonly Projection[]): readonly string[] {
  const owners = new Map<string, string>();
  const mixed = new Set<string>();
  for (const event of history) {
    const owner = event.metadata['workspaceId'] ?? 'none';
    for (const view of views) {
      if (view.acrossWorkspaces || !(event.type in view.on)) continue;
      for (const key of keysOf(view, event)) {
        const document = `${view.name} ${key}`;
        const known = owners.get(document) ?? owner;
        owners.set(document, known);
        if (known !== owner) mixed.add(`${document}: ${known} and ${owner}`);
      }
    }
  }
  return [...mixed];
}

describe('read models that workers project in shares of the workspaces', () => {
  it('have no document that events of two workspaces change, or events with and without a workspace', () => {
    expect(history.length).toBeGreaterThan(1_000);
    expectNone(mixedDocuments(projections), 'set acrossWorkspaces');
  });

  it('are found if they have one, unless they say that they are across workspaces', () => {
    const counted = projection<{ readonly count: number }, { readonly CreditsGranted: object }>()({
      name: 'grants',
      version: 1,
      indexes: {},
      key: () => 'all',
      on: { CreditsGranted: (before) => ({ count: (before?.count ?? 0) + 1 }) },
    });
    expect(mixedDocuments([counted])).not.toEqual([]);
    expect(mixedDocuments([{ ...counted, acrossWorkspaces: true }])).toEqual([]);
  });
});
