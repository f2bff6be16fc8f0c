import type { Command } from 'commander';
import { createProgram } from './program.js';

/** A command and all of its subcommands. */
const within = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(within)];

/** The output of `--help`. */
function helpOf(command: Command): string {
  let said = '';
  command.configureOutput({ writeOut: (text) => (said += text) }).outputHelp();
  return said;
}

describe('the help of the command line', () => {
  it('fits 100 columns for every command', () => {
    const commands = within(createProgram());
    expect(commands.length).toBeGreaterThan(60);
    const tooWide = commands.flatMap((command) =>
      helpOf(command)
        .split('\n')
        .filter((line) => line.length > 100)
        .map((line) => `${command.name()}: ${line}`),
    );
    expect(tooWide).toEqual([]);
  });

  it('lists the names of which an option takes some', () => {
    const statement = within(createProgram()).find((command) => command.name() === 'statement');
    expect(statement === undefined ? '' : helpOf(statement)).toContain('--group-by <account|persona|month>');
  });
});
