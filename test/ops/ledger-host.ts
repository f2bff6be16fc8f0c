import { deliveryRecords } from '#delivery/webhooks/delivery-records.js';
import { requiredWorkspace } from '#access/required-workspace.js';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { creditEvents } from '#ledger/domain/credits.events.js';
import { ledgerReader } from '#ledger/history/ledger-reader.js';
import { setBillingMode } from '#ledger/domain/post-credits.js';
import type { Billing } from '#ledger/domain/books.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { createCommands, type Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { decodeEvent } from '#kernel/events/event-codec.js';
import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { createIds } from '#kernel/commands/ids.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { Recall } from '#kernel/ports/recall.port.js';
import type { SnapshotStore } from '#kernel/ports/snapshot-store.port.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import type { OperatorCommand, OperatorHost } from '#ops/support/operator-command.js';
import { runCommand } from '#ops/support/run-command.js';
import { projectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { creditBalances } from '#projections/ledger/credit-balances/credit-balances.projection.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { creditPostings } from '#projections/ledger/credit-postings/credit-postings.projection.js';
import { recurringGrants } from '#projections/ledger/recurring-grants/recurring-grants.projection.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { chargeIndex } from '#ledger/charging/charge-index.js';
import { snapshotStore } from '#runtime/snapshot-store.js';
import { shared } from '#test/support/late.js';
import { testCall } from '#test/support/test-call.js';
import { compileJsonSchema } from '#kernel/values/json-schema.js';
import type { JsonObject } from '#kernel/values/json.js';
import type { Refusal } from '#kernel/values/refusal.js';
import type { Static, TObject } from '#kernel/values/schema.js';
import { quietOperatorHost } from '#test/support/no-work.js';

/** A host of the ledger's operator commands on real files, with a clock that tests set. */
export type LedgerHost = OperatorHost & {
  readonly setNow: (now: string) => void;
  /** A second process on the same files: its own connection, cached states and queues. */
  readonly anotherCommandPath: (change?: PathChange) => Promise<CommandPath>;
  readonly readStore: ReadStore;
  readonly ledger: (workspaceId: number) => Promise<readonly StoredEvent[]>;
  readonly openWorkspace: (workspaceId: number, billing?: Billing) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The differences of a command path: parts that fail or answer otherwise. */
export type PathChange = {
  readonly snapshots?: SnapshotStore;
  readonly recall?: Recall;
};

/** A separate command path, as after a restart or in another process, that reports its reads and losses. */
export type CommandPath = Commands & {
  /** Events read from streams so far. */
  readonly eventsRead: () => number;
  readonly snapshotFailures: () => number;
};

export function operatorOf(workspaceId: number): CommandContext {
  const actor = { kind: 'operator', id: 'test' } as const;
  return { commandId: randomUUID(), actor, workspaceId, correlationId: 'test' };
}

/** One host for all cases of this file: it opens before them and closes after them. */
export const sharedLedgerHost = (): LedgerHost => shared('the host', openLedgerHost);

/** Gives a command to a host. */
export const runOn =
  (host: OperatorHost) =>
  <Input extends TObject>(command: OperatorCommand<Input>, input: Static<Input>) =>
    runCommand(host, command, input, testCall);

/** Gives a command to a host, and checks its answer, as JSON, against the schema that it declares. */
export const runDeclaredOn =
  (host: OperatorHost) =>
  async <Input extends TObject>(
    command: OperatorCommand<Input>,
    input: Static<Input>,
  ): Promise<JsonObject> => {
    const answer: JsonObject = JSON.parse(JSON.stringify(await runCommand(host, command, input, testCall)));
    const schema: JsonObject = JSON.parse(JSON.stringify(command.output));
    expect(compileJsonSchema(schema)(answer)).toEqual([]);
    return answer;
  };

/** The fields that a refusal names. */
export const fieldsOf = ({ details }: Refusal): readonly string[] => [...(details.errors?.keys() ?? [])];

export async function openLedgerHost(): Promise<LedgerHost> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  const path = join(folder, 'events.db');
  const eventStore = await openSqliteEventStore({ path });
  const readStore = await openSqliteReadStore({ path: join(folder, 'views.db') });
  const network = await openSqliteNetwork({
    path: join(folder, 'network.db'),
    networkBaseUrl: 'https://www.network.example',
  });
  const others: (() => Promise<void>)[] = [];
  let now = new Date('2026-01-05T10:00:00.000Z');
  const clock = { now: () => now };
  const engine = projectionEngine({
    events: eventStore,
    reads: readStore,
    registry: projectionRegistry({
      name: 'all',
      projections: [creditBalances, creditMovements, creditPostings, recurringGrants],
    }),
    decode: (event) => decodeEvent(creditEvents, event),
    clock,
  });
  engine.start();
  const commandPath = (
    events: EventStore,
    change: PathChange = {},
    onSnapshotFailure?: () => void,
  ): Commands =>
    createCommands({
      eventStore: events,
      clock,
      progress: engine,
      snapshots: change.snapshots ?? snapshotStore(readStore),
      recalls: { credits: change.recall ?? chargeIndex(readStore, engine) },
      onSnapshotFailure,
    });
  const commands = commandPath(eventStore);
  return {
    ...quietOperatorHost,
    commands,
    ids: createIds(eventStore, clock),
    eventStore,
    readModels: readStore,
    ledgers: ledgerReader(eventStore, readStore),
    requireWorkspace: requiredWorkspace(commands),
    progress: engine,
    projections: engine,
    network,
    webhooks: { records: deliveryRecords(readStore) },
    priceSet: async () => undefined,
    clock,
    setNow: (text) => {
      now = new Date(text);
    },
    readStore,
    async anotherCommandPath(change) {
      const connection = await openSqliteEventStore({ path });
      others.push(() => connection.close());
      let read = 0;
      let failures = 0;
      const counting: EventStore = {
        ...connection,
        async *readStream(stream, options) {
          for await (const batch of connection.readStream(stream, options)) {
            read += batch.length;
            yield batch;
          }
        },
      };
      const other = commandPath(counting, change, () => (failures += 1));
      return { ...other, eventsRead: () => read, snapshotFailures: () => failures };
    },
    async ledger(workspaceId) {
      const events: StoredEvent[] = [];
      for await (const batch of eventStore.readStream(`credits-${workspaceId}`)) events.push(...batch);
      return events;
    },
    async openWorkspace(workspaceId, billing = { mode: 'self' }) {
      const options = { context: operatorOf(workspaceId) };
      await commands.handle(creditAccount, String(workspaceId), setBillingMode(billing), options);
    },
    async close() {
      await engine.stop();
      for (const closeOther of others) await closeOther();
      await network.close();
      await readStore.close();
      await eventStore.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
