// A process that reports its start, waits for the event `Started` in the store, then requests holds on one workspace,
// all at once, and prints the outcome of each key.
//
// node credit-holder.js <path> <workspace id> <name> <holds> <credits>
import { createCommands } from '#kernel/commands/commands.js';
import { systemClock } from '#kernel/ports/clock.js';
import { credits as wholeCredits } from '#kernel/values/credits.js';
import { createIds } from '#kernel/commands/ids.js';
import { Refusal } from '#kernel/values/refusal.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { hold } from '#ledger/domain/hold-credits.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';

const [path = '', workspaceId = '', name = '', holds = '1', credits = '1'] = process.argv.slice(2);
const store = await openSqliteEventStore({ path });
const commands = createCommands({
  eventStore: store,
  clock: systemClock,
  progress: { reached: async () => true },
});
const ids = createIds(store, systemClock);

async function ask(key: string): Promise<string> {
  const movementId = await ids.next('movement');
  const wanted = { movementId, key, credits: wholeCredits(Number(credits)), product: 'match' };
  try {
    await commands.handle(creditAccount, workspaceId, hold({ ...wanted, cause: { kind: 'operator' } }), {
      context: {
        commandId: `hold:${key}`,
        actor: { kind: 'operator', id: name },
        workspaceId: Number(workspaceId),
        correlationId: name,
      },
    });
    return `held ${key}`;
  } catch (error) {
    if (error instanceof Refusal) return `${error.declaration.code} ${key}`;
    throw error;
  }
}

// A store's own timers keep no process alive.
const alive = setInterval(() => {}, 1_000);
process.stdout.write('ready\n');
const started = new AbortController();
for await (const { events } of store.subscribe({ types: ['Started'], signal: started.signal })) {
  if (events.length > 0) started.abort();
}
const answers = await Promise.all(
  Array.from({ length: Number(holds) }, (_, index) => ask(`${name}-${index}`)),
);
process.stdout.write(answers.map((answer) => `${answer}\n`).join(''));
await store.close();
clearInterval(alive);
