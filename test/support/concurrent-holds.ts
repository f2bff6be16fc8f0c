import { creditAccount } from '#domain/credits/credit-account.js';
import { hold, holdOutcomes } from '#domain/credits/hold-credits.js';
import { createCommands } from '#kernel/commands/commands.js';
import { systemClock } from '#kernel/ports/clock.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { createIds } from '#kernel/commands/ids.js';
import { Refusal } from '#kernel/values/refusal.js';

export function contextOf(commandId: string): CommandContext {
  return { commandId, actor: { kind: 'process', id: 'test' }, workspaceId: 1, correlationId: 'test' };
}

/** A command path of its own on the store, with no read models to wait for. */
export function commandPathOn(eventStore: EventStore) {
  return createCommands({ eventStore, clock: systemClock, progress: { reached: async () => true } });
}

/** Holds one charge a key, all at once; gives `held <movement id>` or the code of the refusal, in order. */
export async function holdConcurrently(
  eventStore: EventStore,
  workspace: string,
  keys: readonly string[],
  credits: bigint,
): Promise<readonly string[]> {
  const commands = commandPathOn(eventStore);
  const ids = createIds(eventStore, systemClock);
  return Promise.all(
    keys.map(async (key) => {
      const movementId = await ids.next('movement');
      const wanted = { movementId, key, credits, product: 'test', cause: { kind: 'operator' } } as const;
      try {
        const { answer } = await commands.handle(creditAccount, workspace, hold(wanted), {
          context: contextOf(key),
          answer: (account) => holdOutcomes(account, [wanted])[0],
        });
        return `${answer?.status} ${answer?.movementId}`;
      } catch (error) {
        if (error instanceof Refusal) return error.declaration.code;
        throw error;
      }
    }),
  );
}
