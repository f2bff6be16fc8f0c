import { CommanderError } from 'commander';
import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import { InvalidSetting } from '#runtime/settings.js';
import { WrongUsage } from './options.js';
import { createProgram, EXIT } from './program.js';
import { asSpelt } from './spelling.js';

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  if (error instanceof WrongUsage || error instanceof InvalidSetting) return EXIT.usage;
  if (error instanceof Refusal) return error.declaration.code === 'invalid-input' ? EXIT.usage : EXIT.refused;
  if (error instanceof StoreUnavailable || error instanceof StoreUnusable) return EXIT.storeUnavailable;
  return EXIT.failed;
}

function complain(error: unknown): void {
  // Commander has already said what is wrong with the words of the call.
  if (error instanceof CommanderError) return;
  if (error instanceof Refusal) {
    console.error(error.message);
    for (const [field, messages] of error.details.errors ?? [])
      console.error(`  ${field}: ${messages.join('; ')}`);
    for (const [member, value] of Object.entries(error.details.members ?? {}))
      console.error(`  ${member}: ${String(value)}`);
    return;
  }
  const mendable =
    error instanceof WrongUsage ||
    error instanceof InvalidSetting ||
    error instanceof StoreUnavailable ||
    error instanceof StoreUnusable ||
    (error instanceof Error && 'syscall' in error);
  console.error(mendable && error instanceof Error ? error.message : error);
}

try {
  await createProgram().parseAsync(asSpelt(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  complain(error);
  process.exitCode = exitCodeOf(error);
}
