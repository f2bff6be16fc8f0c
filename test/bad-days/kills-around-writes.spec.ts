import { diagnostic } from '#test/support/diagnostic.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { setBillingMode } from '#ledger/domain/post-credits.js';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store.js';
import { createCommands } from '#kernel/commands/commands.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { startEventStoreDbServer } from '#test/servers/eventstoredb/eventstoredb-server.js';
import { answered, decisionOf, isResult, randomCommands, withIds } from '#test/simulation/money-commands.js';
import type { Attempt } from '#test/simulation/money-path.js';
import { proveHistory } from '#test/simulation/money-path-proof.js';
import { Random } from '#test/simulation/random.js';
import { eventsOf } from '#test/support/event-stores.js';

const KILLS = Number(process.env['WRITE_KILLS'] ?? '200');
const SEED = Number(process.env['SEED'] ?? '1');
const CALLERS = 3;
const FAULTS = ['kill before the write', 'kill after the write'] as const;
const STREAM = 'credits-1';

describe('an event store that is killed between a write and its acknowledgement', () => {
  it(`answers every charge with its real outcome: ${KILLS} kills, every outcome checked by the model`, async () => {
    let killed = (): void => undefined;
    const kill = (): void => {
      killed();
    };
    let server = await startEventStoreDbServer({ kill });
    const { log, port } = server;
    const store = await openEventStoreDb({ url: server.url });
    const commands = createCommands({
      eventStore: store,
      clock: { now: () => new Date() },
      progress: { reached: async () => true },
    });
    const contextOf = (commandId: string, correlationId: string) =>
      ({ commandId, actor: { kind: 'process', id: 'test' }, workspaceId: 1, correlationId }) as const;
    await commands.handle(creditAccount, '1', setBillingMode({ mode: 'self' }), {
      context: contextOf('opening', 'opening'),
    });
    // From the log of the server itself, even if the client does not know of it.
    const length = (): number => log.stream(STREAM).length;

    const random = new Random(SEED);
    const wanted = randomCommands(random, 20_000);
    const attempts: Attempt[] = [];
    const movementIds = new Map<string, number>();
    const learn = (): void => {
      for (const { type, data } of log.stream(STREAM)) {
        if (type !== 'CreditsHeld') continue;
        const { key, movementId } = JSON.parse(Buffer.from(data).toString());
        movementIds.set(key, movementId);
      }
    };
    let kills = 0;
    let next = 0;
    let lastId = 0;
    let unavailable = 0;
    let answers = 0;
    const found = { written: 0, 'not written': 0 };

    async function caller(): Promise<void> {
      while (kills < KILLS) {
        const index = (next += 1);
        const command = wanted[index - 1];
        if (command === undefined) throw new Error('too few commands for so many kills');
        const name = `a${index}`;
        const attempt: Attempt = {
          name,
          commandId: name,
          command: await withIds(command, async (count) =>
            Array.from({ length: count }, () => (lastId += 1)),
          ),
          sentAt: length(),
          sentTime: new Date().toISOString(),
          answeredAt: null,
          result: null,
          answer: '',
          appended: 0,
        };
        attempts.push(attempt);
        const asked = attempt.command;
        const decision = decisionOf(asked, (key) => movementIds.get(key));
        try {
          const { answer, appended } = await commands.handle(creditAccount, '1', decision, {
            context: contextOf(name, name),
            answer: (account) => answered(account, asked),
            waitForReadModels: false,
          });
          Object.assign(attempt, { result: 'done', answer, appended });
        } catch (error) {
          if (error instanceof StoreUnavailable) {
            unavailable += 1;
            continue;
          }
          if (!(error instanceof Refusal) || !isResult(error.declaration.kind)) throw error;
          attempt.result = error.declaration.kind;
          attempt.answer = JSON.stringify(error.details.members ?? {});
        }
        attempt.answeredAt = length();
        answers += 1;
        learn();
      }
    }

    /** Kills the server at the next append and starts it again on the same log as soon as it is gone. */
    async function reaper(): Promise<void> {
      while (kills < KILLS) {
        // A charge succeeded since the last kill: each kill meets a different write.
        const answeredBefore = answers;
        await eventually(() => answers > answeredBefore);
        const before = length();
        const death = new Promise<void>((resolve) => (killed = resolve));
        Object.assign(server.faults, { append: FAULTS[kills % 2] ?? null, appendTimes: 1 });
        await death;
        server.stop();
        found[length() > before ? 'written' : 'not written'] += 1;
        kills += 1;
        server = await startEventStoreDbServer({ log, port, kill });
      }
    }

    await Promise.all([reaper(), ...Array.from({ length: CALLERS }, () => caller())]);
    const stored = await eventsOf(store, STREAM);
    await store.close();
    server.stop();
    await proveHistory(stored, attempts);
    expect(kills).toBe(KILLS);
    expect(found.written).toBeGreaterThan(0);
    expect(found['not written']).toBeGreaterThan(0);
    const acknowledged = attempts.filter(({ answeredAt }) => answeredAt !== null).length;
    diagnostic(
      JSON.stringify({
        kills,
        ...found,
        commands: attempts.length,
        acknowledged,
        unavailable,
        events: stored.length,
      }),
    );
    expect(acknowledged + unavailable).toBe(attempts.length);
    expect(acknowledged).toBeGreaterThan(KILLS);
  });
});
