import { CommanderError, type Command } from 'commander';
import { inspect } from 'node:util';
import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import { InvalidSetting } from '#runtime/settings.js';
import { optionNamed, UnwritableFile, withOptionsNamed, WrongUsage } from './options.js';
import { printable, printableLines } from './printable.js';
import { createProgram, EXIT } from './program.js';
import { asSpelt } from './spelling.js';

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  if (isClosedPipe(error)) return 0;
  if (error instanceof WrongUsage || error instanceof InvalidSetting) return EXIT.usage;
  if (error instanceof UnwritableFile || isOfOutput(error)) return EXIT.refused;
  if (error instanceof Refusal) return error.declaration.code === 'invalid-input' ? EXIT.usage : EXIT.refused;
  if (error instanceof StoreUnavailable || error instanceof StoreUnusable) return EXIT.storeUnavailable;
  return EXIT.failed;
}

/** Standard output is closed: the reader has gone. */
const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EPIPE';

/** Standard output could not be written. */
const isOfOutput = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error && error.syscall === 'write';

function complain(error: unknown, { options }: Pick<Command, 'options'>): void {
  // Commander has already reported the usage error.
  if (error instanceof CommanderError || isClosedPipe(error)) return;
  if (error instanceof Refusal) {
    console.error(printable(error.message));
    for (const [field, messages] of error.details.errors ?? []) {
      const message = withOptionsNamed(options, messages.join('; '));
      console.error(printable(`  ${optionNamed(options, field)}: ${message}`));
    }
    for (const [member, value] of Object.entries(error.details.members ?? {}))
      console.error(printable(`  ${member}: ${String(value)}`));
    return;
  }
  if (isOfOutput(error)) {
    console.error(printableLines(`standard output cannot be written: ${error.message}`));
    return;
  }
  const mendable =
    error instanceof WrongUsage ||
    error instanceof UnwritableFile ||
    error instanceof InvalidSetting ||
    error instanceof StoreUnavailable ||
    error instanceof StoreUnusable ||
    (error instanceof Error && 'syscall' in error);
  if (mendable && error instanceof Error) console.error(printableLines(error.message));
  else console.error(printableLines(inspect(error)));
}

let hasEnded = false;

/** Reports only the first error: an error of standard output occurs twice. */
function end(error: unknown, called: Command): void {
  if (hasEnded) return;
  hasEnded = true;
  complain(error, called);
  process.exitCode ??= exitCodeOf(error);
}

/** The command that the arguments name, in its group if it has one. */
function commandIn(program: Command, [name, ...others]: readonly string[]): Command {
  const found = program.commands.find((each) => each.name() === name);
  return found === undefined ? program : commandIn(found, others);
}

/** Runs the command that the arguments of the process name. */
export async function run(): Promise<void> {
  const program = createProgram();
  const words = asSpelt(process.argv.slice(2));
  const called = commandIn(program, words);
  // The reader may close the pipe early (`| head`), and the disk may be full.
  process.stdout.on('error', (error) => end(error, called));
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    end(error, called);
  }
}
