import { Command, Option } from 'commander';
import { randomUUID } from 'node:crypto';
import type {
  ExportCommand,
  OperatorCommand,
  OperatorHost,
  StreamCommand,
} from '#ops/support/operator-command.js';
import { exportCommands, operatorCommands, streamCommands } from '#runtime/operator-commands.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { requireRole, runExport, runNotedCommand, streamOptions } from '#ops/support/run-command.js';
import { readSettings } from '#runtime/settings.js';
import { actingAs, asOption, nameOfCaller } from './acting-as.js';
import { openInput, optionsOf, readOptions } from './options.js';
import { addMcp } from './mcp.js';
import { printResult } from './print-result.js';
import { printable } from './printable.js';
import { progressBar } from './progress-bar.js';
import { addStoreBackup } from './store-backup.js';
import { addStoreCheck, addStoreShow } from './store-check.js';
import { addStoreCopy } from './store-copy.js';
import { addStoreRestore } from './store-restore.js';
import { troubleLine } from './trouble-line.js';
import { exportTarget, writeExport } from './write-export.js';

/** The exit codes; 0 is success. */
export const EXIT = { refused: 1, usage: 2, storeUnavailable: 3, failed: 70 } as const;

const HELP_WIDTH = 100;

/**
 * Opens the stores, runs one command, and closes. Whoever looks at a log, such as a restored backup, must not charge for
 * what fell due since: only a command that waits for due work does it (OPS-44).
 */
async function withHost<Result>(
  work: (host: OperatorHost) => Promise<Result>,
  doesDueWork = false,
): Promise<Result> {
  const settings = readSettings(process.env);
  // Half of this program: an invalid call, or one for help, does not load it.
  const { openServiceHost } = await import('#runtime/service-host.js');
  const complainOf = (what: string, error: unknown): void => {
    const line = troubleLine(what, error);
    if (line !== null) console.error(line);
  };
  const onUpgrade = (line: string): void => console.error(printable(line));
  const host = await openServiceHost(settings, complainOf, true, { onUpgrade });
  for (const notice of host.stores.notices) console.error(notice);
  let result: Result;
  try {
    await host.startWork({ doesDueWork });
    result = await work(host);
  } catch (error) {
    // An error of the end would hide the first one.
    await Promise.allSettled([host.stop()]);
    throw error;
  }
  await host.stop().catch((error: unknown) => {
    // What was done stays done, and its answer may show a secret once.
    if (!(error instanceof StoreUnavailable)) throw error;
    complainOf('end', error);
  });
  return result;
}

function addOperatorCommand(program: Command, command: OperatorCommand): void {
  const subcommand = place(program, command.name).description(command.summary);
  for (const option of optionsOf(command.input)) subcommand.addOption(option);
  const { onFile } = command;
  if (onFile !== undefined) {
    subcommand.addOption(new Option('--file <file>', 'a file instead of the stores, - for standard input'));
  }
  subcommand
    .addOption(new Option('--input <file>', 'the whole input as a JSON file, - for standard input'))
    .addOption(asOption())
    .addOption(new Option('--json', 'print the result as one line of JSON'))
    .action(async (options: Record<string, unknown>) => {
      const input = await readOptions(command.input, options);
      const { file } = options;
      const name = nameOfCaller(options['as']);
      const run = async (host: OperatorHost): Promise<unknown> => {
        const call = { operator: await actingAs(host, name), correlationId: randomUUID() };
        return runNotedCommand(host, command, input, call, bar.update);
      };
      const bar = progressBar();
      try {
        const result =
          onFile !== undefined && typeof file === 'string'
            ? await onFile(await openInput(file), input, bar.update, withHost)
            : await withHost(run, command.doesDueWork);
        bar.stop();
        printResult(result, options['json'] === true);
        if (saysNo(result)) process.exitCode = EXIT.refused;
      } finally {
        bar.stop();
      }
    });
}

/** A failed proof is an answer, but scripts must notice it by the exit code. */
function saysNo(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'ok' in result && result.ok === false;
}

function addStreamCommand(program: Command, command: StreamCommand): void {
  const subcommand = place(program, command.name)
    .description(command.summary)
    .argument('<file>', 'the file to read, - for standard input');
  const { input } = command;
  if (input === undefined)
    subcommand.addOption(new Option('--strict', 'reject a line with a member that its kind does not have'));
  else for (const option of optionsOf(input)) subcommand.addOption(option);
  subcommand
    .addOption(asOption())
    .addOption(new Option('--json', 'print the result as one line of JSON'))
    .action(async (file: string, options: Record<string, unknown>) => {
      const name = nameOfCaller(options['as']);
      const bar = progressBar();
      const given = streamOptions(command, input === undefined ? options : await readOptions(input, options));
      const run = async (host: OperatorHost, chunks: AsyncIterable<Uint8Array>): Promise<unknown> => {
        const operator = await actingAs(host, name);
        requireRole(command, operator);
        return command.run(host, chunks, given, bar.update, operator);
      };
      try {
        const chunks = await openInput(file);
        const alone = command.withoutStores?.(chunks, given, bar.update) ?? null;
        const result = await (alone ?? withHost((host) => run(host, chunks)));
        bar.stop();
        printResult(result, options['json'] === true);
        if (command.isFailure(result)) process.exitCode = EXIT.refused;
      } finally {
        bar.stop();
      }
    });
}

function addExportCommand(program: Command, command: ExportCommand): void {
  const subcommand = place(program, command.name).description(command.summary);
  for (const option of optionsOf(command.input)) subcommand.addOption(option);
  subcommand
    .addOption(new Option('--file <file>', 'the file to write; default: standard output'))
    .addOption(asOption())
    .addOption(new Option('--overwrite', 'replace an existing file; a database is never replaced'))
    .action(async (options: Record<string, unknown>) => {
      const input = await readOptions(command.input, options);
      const { file } = options;
      const name = nameOfCaller(options['as']);
      const target =
        typeof file === 'string'
          ? await exportTarget(file, options['overwrite'] === true, readSettings(process.env))
          : null;
      const bar = progressBar();
      try {
        await withHost(async (host) => {
          const { text } = runExport(host, command, input, await actingAs(host, name), bar.update);
          await writeExport(await text, target);
        });
      } finally {
        bar.stop();
      }
    });
}

/** `credits.grant` is the command `grant` of the group `credits`; `credits.recurring.add` has a nested group. */
function place(program: Command, name: string): Command {
  const words = name.split('.');
  const verb = words.pop() ?? '';
  let group = program;
  for (const noun of words)
    group = group.commands.find((known) => known.name() === noun) ?? group.command(noun).exitOverride();
  return group.command(verb.replaceAll('_', '-')).exitOverride();
}

/** Sets the descriptions of groups to their commands. */
function describeGroups(program: Command): void {
  for (const group of program.commands) {
    if (group.commands.length === 0) continue;
    group.description(group.commands.map((verb) => verb.name()).join(', '));
    describeGroups(group);
  }
}

/** All commands with their help; nothing is opened before one is executed. */
export function createProgram(): Command {
  const program = new Command('signal-ledger')
    .usage('<command> [options]')
    .description(
      'Operator commands. They work on the same stores as the service, with the service up or down.',
    )
    .exitOverride()
    .configureHelp({ helpWidth: Math.min(process.stdout.columns ?? HELP_WIDTH, HELP_WIDTH) })
    .showHelpAfterError('(--help lists the options)');
  for (const command of operatorCommands) addOperatorCommand(program, command);
  for (const command of streamCommands) addStreamCommand(program, command);
  for (const command of exportCommands) addExportCommand(program, command);
  addStoreCopy(place(program, 'store.copy'));
  addStoreBackup(place(program, 'store.backup'), () => (process.exitCode = EXIT.refused));
  addStoreRestore(place(program, 'store.restore'));
  addStoreCheck(place(program, 'store.check'), () => (process.exitCode = EXIT.refused));
  addStoreShow(place(program, 'store.show'));
  addMcp(place(program, 'mcp'));
  describeGroups(program);
  return program;
}
