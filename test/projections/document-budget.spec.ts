import type { Recorded } from '#kernel/events/event.js';
import { foldInto, keysOf } from '#kernel/projections/projection.js';
import type { JsonValue } from '#kernel/values/json.js';
import { projections } from '#projections/index.js';
import { expectNone } from '#test/house/expect-none.js';
import { decoded, goldenEvents, journalEvents } from '#test/stored-data/known-events.js';
import { documentBudget, ONCE_A_LOOK, PAID_DETECTION_BUDGET } from './document-budget.js';

/** The documents of the read models while events are applied to all of them, one at a time. */
function readModels(): { readonly write: (event: Recorded<unknown>) => number } {
  const documents = new Map(projections.map(({ name }) => [name, new Map<string, JsonValue | null>()]));
  return {
    write(event) {
      let written = 0;
      for (const projection of projections) {
        const held = documents.get(projection.name);
        if (held === undefined || projection.on[event.type] === undefined) continue;
        for (const key of keysOf(projection, event)) {
          const before = held.get(key) ?? null;
          const after = foldInto(projection, before, event, key);
          if (after === before) continue;
          held.set(key, after);
          written += 1;
        }
      }
      return written;
    },
  };
}

/** By type: the most documents that one event of a service's history has written. */
function writtenByHistory(): ReadonlyMap<string, number> {
  const models = readModels();
  const most = new Map<string, number>();
  for (const stored of journalEvents) {
    const event = decoded(stored);
    most.set(event.type, Math.max(most.get(event.type) ?? 0, models.write(event)));
  }
  return most;
}

/** By type: the most documents that one of its golden payloads names, even if nothing changes. */
async function namedByGoldens(): Promise<ReadonlyMap<string, number>> {
  const most = new Map<string, number>();
  for (const { stored, isOfToday } of await goldenEvents()) {
    if (!isOfToday) continue;
    const event = decoded(stored);
    const listening = projections.filter(({ on }) => on[event.type] !== undefined);
    const named = listening.reduce((sum, projection) => sum + keysOf(projection, event).length, 0);
    most.set(event.type, Math.max(most.get(event.type) ?? 0, named));
  }
  return most;
}

/** The events of a detection of a person new to the workspace, at a company that is also new to it. */
const PAID_DETECTION = [
  'CreditsHeld',
  'CompanyRegistered',
  'LeadRegistered',
  'ContentCaptured',
  'SignalDetected',
  'CreditsCaptured',
];

describe('the documents that an event writes', () => {
  it('are as many as its budget says, for events of every type', async () => {
    const counted = new Map([...(await namedByGoldens()), ...writtenByHistory()]);
    expect(counted.size).toBeGreaterThan(100);
    const used = [...counted].filter(([, written]) => written > 0);
    const budgeted = (type: string): number => documentBudget[type] ?? 0;
    expectNone(
      used
        .filter(([type, written]) => written !== budgeted(type))
        .map(([type, written]) => `${type}: ${written}, and the budget says ${budgeted(type)}`),
      'correct these numbers in test/projections/document-budget.ts, where it is meant that an event writes so many documents',
    );
    expectNone(
      Object.keys(documentBudget).filter((type) => !used.some(([known]) => known === type)),
      'these events have no golden payload, or write no document: write the payload (docs/commands.md, 2), or remove them from test/projections/document-budget.ts',
    );
  });

  it('match the budget for a single paid detection', () => {
    const budgeted = PAID_DETECTION.reduce((sum, type) => sum + (documentBudget[type] ?? 0), 0);
    const written = budgeted - PAID_DETECTION.filter((type) => ONCE_A_LOOK.includes(type)).length;
    expectNone(
      written > PAID_DETECTION_BUDGET ? [`${written}, and the budget says ${PAID_DETECTION_BUDGET}`] : [],
      'let read models write fewer documents for these events, or raise PAID_DETECTION_BUDGET in test/projections/document-budget.ts and say there why',
    );
    expect(written).toBeGreaterThan(10);
  });
});
