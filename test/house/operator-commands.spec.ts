import { basename, dirname } from 'node:path';
import { exportCommands, operatorCommands, streamCommands } from '#runtime/operator-commands.js';
import { expectNone } from './expect-none.js';
import { exportsOfAll, foldersOfCommands } from './house.js';

const registered: readonly unknown[] = [...operatorCommands, ...streamCommands, ...exportCommands];

function isCommand(value: unknown): value is { readonly name: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['name', 'summary', 'run'].every((member) => Object.hasOwn(value, member))
  );
}

describe('the operator commands of the house', () => {
  it('are all in the registry, in any file', async () => {
    const declared = (await exportsOfAll(foldersOfCommands())).map(({ value }) => value).filter(isCommand);
    expect(declared.length).toBeGreaterThan(0);
    expectNone(
      declared.filter((command) => !registered.includes(command)).map(({ name }) => name),
      'list these commands in libs/runtime/operator-commands.ts',
    );
    expect(new Set(registered)).toEqual(new Set(declared));
  });

  it('stand in files named after them, and no other file has the same words in another order', async () => {
    const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const lettersOf = (file: string): string =>
      [...basename(file, '.ts').replaceAll('-', '')].sort().join('');
    const commandsIn = new Map<string, string[]>();
    const named = new Map<string, string>();
    const doubles: string[][] = [];
    for (const { file, name, value } of await exportsOfAll(foldersOfCommands())) {
      if (isCommand(value)) commandsIn.set(file, [...(commandsIn.get(file) ?? []), inWords(name)]);
      const words = `${dirname(file)} ${lettersOf(file)}`;
      const other = named.get(words);
      if (other !== undefined && other !== file) doubles.push([other, file]);
      named.set(words, file);
    }
    expect(commandsIn.size).toBeGreaterThan(30);
    for (const [file, commands] of commandsIn)
      expect({ file, commands }).toEqual({ file, commands: expect.arrayContaining([basename(file, '.ts')]) });
    expect(doubles).toEqual([]);
  });

  it('are named noun.verb or noun.noun.verb, each name once: the CLI writes them with spaces', () => {
    const names = [...operatorCommands, ...streamCommands, ...exportCommands].map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z]+\.([a-z]+\.)?[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
    expect(names.toSorted()).toEqual([...new Set(names)].sort());
  });

  it('describe their effect, their input and their answer', () => {
    for (const { name, summary, input, output } of operatorCommands) {
      expect({ name, summary: summary.length > 0, input: input.type }).toEqual({
        name,
        summary: true,
        input: 'object',
      });
      expect({ name, output: Object.keys(output).length > 0 }).toEqual({ name, output: true });
    }
    for (const { name, summary, contentType, output } of streamCommands) {
      expect({ name, said: [summary, contentType].every((text) => text.length > 0) }).toEqual({
        name,
        said: true,
      });
      expect({ name, output: Object.keys(output).length > 0 }).toEqual({ name, output: true });
    }
  });

  it('describe each field in --help', () => {
    const fields = [...operatorCommands, ...exportCommands].flatMap(({ name, input }) =>
      Object.entries(input.properties).map(([field, schema]) => ({
        field: `${name} ${field}`,
        said: schema.description,
      })),
    );
    expect(fields.length).toBeGreaterThan(0);
    expectNone(
      fields.filter(({ said = '' }) => said.trim() === '').map(({ field }) => field),
      'give these fields a `description` in the input of their command',
    );
  });
});
