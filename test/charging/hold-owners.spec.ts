import { holdCharges, type PaidWork } from '#ledger/charging/charges.js';
import { settleCharges } from '#ledger/charging/settle-charges.js';
import { HOLD_LIFETIME_MS } from '#ledger/charging/expired-holds.js';
import type { ExpiredHolds, HoldOwner } from '#ledger/charging/hold-owner.js';
import { holdOwners } from '#runtime/hold-owners.js';
import type { Cause } from '#ledger/domain/credits.events.js';
import { decider, workspaceScoped, type Decision } from '#kernel/commands/decider.js';
import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Type } from '#kernel/values/schema.js';
import { credits } from '#kernel/values/credits.js';
import { releaseExpiredHoldsOf } from '#ledger/charging/release-expired-holds.process.js';
import { dueItems } from '#process-engine/to-do.js';
import { openSignalHouse, type SignalHouse } from '../support/signal-house.js';

const NEVER = new AbortController().signal;

// A new kind of work, as a later version may add it: a stream that records its results, and an end.
const exampleEvents = {
  ExampleRecorded: event(Type.Object({ movementId: Id })),
  ExampleFailed: event(Type.Object({})),
};
type Example = { readonly hasFailed: boolean; readonly recorded: readonly number[] };
type ExampleDecision = Decision<Example, typeof exampleEvents>;
const example = decider<Example>()({
  category: 'exampleWork',
  scope: 'workspace',
  vocabulary: exampleEvents,
  initial: () => ({ hasFailed: false, recorded: [] }),
  on: {
    ExampleRecorded: (state, { data }) => ({ ...state, recorded: [...state.recorded, data.movementId] }),
    ExampleFailed: (state) => ({ ...state, hasFailed: true }),
  },
});
const record =
  (data: PayloadsOf<typeof exampleEvents>['ExampleRecorded']): ExampleDecision =>
  ({ hasFailed }) =>
    hasFailed ? [] : [{ type: 'ExampleRecorded', data }];
const fail: ExampleDecision = ({ hasFailed }) => (hasFailed ? [] : [{ type: 'ExampleFailed', data: {} }]);

const streamOf = (workspaceId: number, requestId: number | null | undefined): string =>
  workspaceScoped(workspaceId, String(requestId));
const workOf = ({ workspaceId, holds }: ExpiredHolds): string => streamOf(workspaceId, holds[0]?.requestId);
const silent = { waitForReadModels: false };

/** The complete owner of a new kind of work. */
const exampleOwner: HoldOwner = {
  kind: 'enrichment',
  workOf: ({ requestId }) => String(requestId),
  models: [],
  fence: async (host, expired, context) =>
    void (await host.commands.handle(example, workOf(expired), fail, {
      ...silent,
      context: context('fence'),
    })),
  recorded: async (host, expired) =>
    new Set(await host.commands.load(example, workOf(expired), ({ recorded }) => recorded)),
};

let house: SignalHouse;
beforeAll(async () => {
  house = await openSignalHouse();
});
afterAll(() => house.close());

let requests = 0;
type Worked = PaidWork & {
  readonly requestId: number;
  /** By the last part of the key. */
  readonly movements: ReadonlyMap<string, number>;
  readonly record: (movementId: number) => Promise<void>;
};

/** Holds one credit for each part of a piece of work. */
async function begin(kind: Cause['kind'], ...parts: readonly string[]): Promise<Worked> {
  const workspaceId = await house.workspace({ mode: 'self' }, 50);
  const requestId = (requests += 1);
  const context = (step: string) => ({
    commandId: `${kind}:${requestId}:${step}`,
    actor: { kind: 'process', id: 'example' } as const,
    workspaceId,
    correlationId: `request-${requestId}`,
  });
  const work = { workspaceId, context };
  const wanted = parts.map((part) => ({
    key: `${kind}:${requestId}:${part}`,
    credits: credits(1),
    product: 'example',
    cause: { kind, requestId },
  }));
  const { held } = await holdCharges(house.operator, work, 'hold', wanted, 'all');
  return {
    ...work,
    requestId,
    movements: new Map(parts.map((part, index) => [part, held[index] ?? 0])),
    async record(movementId) {
      await house.operator.commands.handle(
        example,
        streamOf(workspaceId, requestId),
        record({ movementId }),
        { ...silent, context: context(`record:${movementId}`) },
      );
    },
  };
}

/** One round of the sweep with these owners, this long after now; returns the pieces of work that it ended. */
async function sweep(owners: readonly HoldOwner[], laterMs = 0): Promise<readonly string[]> {
  await house.caughtUp();
  const process = releaseExpiredHoldsOf('sweep', owners);
  const now = new Date(house.now().getTime() + laterMs);
  const host = house.worker(undefined, { clock: { now: () => now } });
  const due = await dueItems(house.reads, process.toDo, now, 100);
  const works = new Map(due.map((item) => [process.key(item), item]));
  for (const item of works.values()) await process.act(host, item, NEVER);
  return [...works.keys()];
}

async function ends({ workspaceId, movements }: Worked): Promise<Readonly<Record<string, string>>> {
  const endings: Record<string, string> = {};
  for await (const batch of house.events.readStream(`credits-${workspaceId}`)) {
    for (const { type, data } of batch) {
      for (const [part, movementId] of movements) if (data['movementId'] === movementId) endings[part] = type;
    }
  }
  return endings;
}

describe('a kind of work that holds credits', () => {
  it('is held for, recorded and captured; after its end nothing is left for the sweep', async () => {
    const work = await begin('enrichment', 'launch', 'spare');
    const launch = work.movements.get('launch') ?? 0;
    await work.record(launch);
    await settleCharges(house.operator, work, 'end', {
      capture: [launch],
      release: [{ movementId: work.movements.get('spare') ?? 0 }],
    });
    expect(await ends(work)).toEqual({ launch: 'CreditsCaptured', spare: 'CreditsReleased' });
    expect(await sweep([exampleOwner], HOLD_LIFETIME_MS)).toEqual([]);
  });

  it('OP-64 P5 that stopped is fenced after 24 hours: recorded results are captured, the rest is released', async () => {
    const work = await begin('enrichment', 'done', 'begun', 'late');
    await work.record(work.movements.get('done') ?? 0);
    expect(await sweep([exampleOwner], HOLD_LIFETIME_MS - 1)).toEqual([]);
    expect(await sweep([exampleOwner], HOLD_LIFETIME_MS)).toEqual([
      `${work.workspaceId}:enrichment:${work.requestId}`,
    ]);
    const ended = { done: 'CreditsCaptured', begun: 'CreditsReleased', late: 'CreditsReleased' };
    expect(await ends(work)).toEqual(ended);
    // After the fence it records nothing more, and a late capture changes nothing.
    const late = work.movements.get('late') ?? 0;
    await work.record(late);
    await settleCharges(house.operator, work, 'late', { capture: [late] });
    const stream = streamOf(work.workspaceId, work.requestId);
    const { load } = house.operator.commands;
    expect(await load(example, stream, ({ hasFailed }) => hasFailed)).toBe(true);
    expect(await load(example, stream, ({ recorded }) => recorded)).toEqual([work.movements.get('done')]);
    expect(await ends(work)).toEqual(ended);
    expect(await sweep([exampleOwner], HOLD_LIFETIME_MS)).toEqual([]);
  });

  it('OP-64 is never ended by a version that does not know it, and does not hide work of known kinds', async () => {
    const strangers = await begin('monitoring', ...Array.from({ length: 30 }, (_, part) => `part-${part}`));
    const operators = await begin('operator', 'elsewhere');
    await house.caughtUp();
    const now = new Date(house.now().getTime() + HOLD_LIFETIME_MS);
    const { toDo } = releaseExpiredHoldsOf('sweep', holdOwners);
    const due = await dueItems(house.reads, toDo, now, 1);
    expect(due.map(({ workspaceId, causeKind }) => [workspaceId, causeKind])).toEqual([
      [operators.workspaceId, 'operator'],
    ]);
    expect(await sweep(holdOwners, HOLD_LIFETIME_MS)).toEqual([`${operators.workspaceId}:operator:operator`]);
    expect(await ends(operators)).toEqual({ elsewhere: 'CreditsReleased' });
    expect(new Set(Object.values(await ends(strangers)))).toEqual(new Set(['CreditsHeld']));
    // A version that knows them ends them, so that nothing is held for ever.
    await sweep([{ ...exampleOwner, kind: 'monitoring' }], HOLD_LIFETIME_MS);
    expect(new Set(Object.values(await ends(strangers)))).toEqual(new Set(['CreditsReleased']));
  });

  it('has one owner for each kind of cause', () => {
    const kinds = holdOwners.map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds).toEqual(expect.arrayContaining(['signal', 'operator']));
  });
});
