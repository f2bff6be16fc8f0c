import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, eventTypeFilter, jsonEvent, NO_STREAM, START } from '@eventstore/db-client';
import type { NewEvent } from '#kernel/ports/event-store.port.js';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store.js';
import { mortalEventStoreDb } from '#test/support/mortal-eventstoredb.js';
import { throughput, timed, type Bench, type Measurement } from './bench.js';

const CALLS = 1_000;
const PARALLEL_CALLS = 6_000;
const CALLERS = 64;
const HISTORY = 20_000;
const ROUNDS = 3;

/** A small event, like a capture. */
const event = (type: string): NewEvent => ({
  id: randomUUID(),
  type,
  data: { movementId: 1, key: 'launch:91:post:3f2a' },
  metadata: { workspaceId: '1', commandId: randomUUID(), recordedAt: new Date().toISOString() },
});

/** Median of rounds that take turns, so that other load on the machine affects both. */
async function both(
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<{ readonly ours: number; readonly bare: number }> {
  const rounds: { ours: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ ours: await ours(), bare: await bare() });
  const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? NaN;
  return { ours: median(rounds.map((round) => round.ours)), bare: median(rounds.map((round) => round.bare)) };
}

/** The adapter beside the bare client, on TEST_EVENT_STORE_URL or on the fault server in its own process. */
export const eventStoreDbBench: Bench = {
  name: 'eventstoredb',
  async run() {
    const named = process.env['TEST_EVENT_STORE_URL'] || null;
    const server = named === null ? await mortalEventStoreDb() : null;
    const url = named ?? server?.url ?? '';
    const store = await openEventStoreDb({ url });
    const client = EventStoreDBClient.connectionString(url);
    const mark = randomUUID().replaceAll('-', '');
    const proof = named === null ? 'fault server' : 'server that was named';
    const bareAppend = async (): Promise<void> => {
      const { metadata, data, type, id } = event(`Bare${mark}`);
      const stream = `bare-${randomUUID()}`;
      const expectedRevision = NO_STREAM;
      await client.appendToStream(stream, jsonEvent({ id, type, data, metadata }), { expectedRevision });
    };
    const ownAppend = async (): Promise<void> => {
      await store.append(`own-${randomUUID()}`, 'no-stream', [event(`Own${mark}`)]);
    };
    const line = (what: string, rates: { ours: number; bare: number }): Measurement => ({
      what,
      measured: rates.ours,
      unit: '/s',
      beside: 'bare client',
      besideValue: rates.bare,
      goal: { atLeast: 0.8 },
      proof,
    });
    await ownAppend();
    await bareAppend();
    const alone = await both(
      () => throughput(1, CALLS, ownAppend),
      () => throughput(1, CALLS, bareAppend),
    );
    const many = await both(
      () => throughput(CALLERS, PARALLEL_CALLS, ownAppend),
      () => throughput(CALLERS, PARALLEL_CALLS, bareAppend),
    );

    const type = `Read${mark}`;
    const before = await store.head();
    for (let written = 0; written < HISTORY; written += 500) {
      const events = Array.from({ length: 500 }, () => event(type));
      await store.append(`history-${mark}-${written}`, 'no-stream', events);
    }
    const readOurs = async (): Promise<number> => {
      let count = 0;
      const elapsed = await timed(async () => {
        for await (const batch of store.readAll({ after: before, types: [type] }))
          count += batch.events.length;
      });
      if (count !== HISTORY) throw new Error(`${count} of ${HISTORY} events were read`);
      return (count / elapsed) * 1_000;
    };
    const readBare = async (): Promise<number> => {
      let count = 0;
      const elapsed = await timed(async () => {
        const subscription = client.subscribeToAll({
          fromPosition: START,
          filter: eventTypeFilter({ prefixes: [type] }),
        });
        for await (const { event: read } of subscription) {
          if (read?.type === type) count += 1;
          if (count === HISTORY) break;
        }
        await subscription.unsubscribe();
      });
      return (count / elapsed) * 1_000;
    };
    // The first read also pays for the compilation.
    await readOurs();
    await readBare();
    const reading = await both(readOurs, readBare);
    await store.close();
    await client.dispose();
    await server?.remove();
    return [
      line('appends to EventStoreDB, one caller', alone),
      line(`appends to EventStoreDB, ${CALLERS} callers`, many),
      line('events read through a filtered subscription', reading),
    ];
  },
};
