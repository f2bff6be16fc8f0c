import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { systemClock } from '#kernel/ports/clock.js';
import { projection } from '#kernel/projections/projection.js';
import { projectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { medianMs, type Bench } from './bench.js';
import { temporaryFolder } from './temporary-folder.js';

const VIEWS = 40;
const EVENTS = 2_000;
const LOOKS = 50;
const MOST_MS = 5;

type Payloads = { readonly Noted: { readonly note: string } };

const views = Array.from({ length: VIEWS }, (_, index) =>
  projection<{ readonly notes: number }, Payloads>()({
    name: `view-${index}`,
    version: 1,
    indexes: {},
    key: () => 'all',
    on: { Noted: (document) => ({ notes: (document?.notes ?? 0) + 1 }) },
  }),
);

/** The cost at start of checking that the views belong to the log. */
export const fitBench: Bench = {
  name: 'fit',
  async run() {
    const folder = temporaryFolder();
    const events = await openSqliteEventStore({ path: join(folder, 'events.db') });
    const reads = await openSqliteReadStore({ path: join(folder, 'views.db') });
    try {
      const written = await events.append(
        'notes',
        'no-stream',
        Array.from({ length: EVENTS }, (_, index) => ({
          id: randomUUID(),
          type: 'Noted',
          data: { note: String(index) },
          metadata: { recordedAt: new Date().toISOString(), workspaceId: '1' },
        })),
      );
      const registry = projectionRegistry({ name: 'all', projections: views });
      const engine = projectionEngine({
        events,
        reads,
        registry,
        decode: (stored) => stored,
        clock: systemClock,
      });
      engine.start();
      const isThere = await engine.reached(
        { position: written.position, types: ['Noted'], workspaceId: null },
        60_000,
      );
      await engine.stop();
      const measured = await medianMs(LOOKS, () => engine.requireFit());
      await engine.stop();
      const kept = await reads.checkpoint({
        view: views[0] ?? { name: '', version: 1, indexes: {} },
        generation: 1,
      });
      return [
        {
          what: `${VIEWS} views are compared with the log`,
          measured,
          unit: 'ms',
          beside: 'limit at a start',
          besideValue: MOST_MS,
          goal: { atMost: 1 },
          proof: `${kept?.applied ?? 0} of ${isThere ? EVENTS : 'not yet'} events in each`,
        },
      ];
    } finally {
      await events.close();
      await reads.close();
    }
  },
};
