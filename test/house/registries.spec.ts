import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actions } from '#apps/console/src/actions/actions.js';
import { consolePages } from '#apps/console/src/console.module.js';
import { declarationOf } from '#http/endpoint.js';
import { operatorCommands } from '#runtime/operator-commands.js';
import { processes } from '#runtime/processes.js';
import { sourceKinds } from '#sources/source-kinds.js';
import { expectNone } from './expect-none.js';
import { exportsOf, houseRoot } from './house.js';

const textOf = (file: string): string => readFileSync(join(houseRoot, file), 'utf8');

const hasMembers = (value: unknown, members: readonly string[]): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && members.every((member) => Object.hasOwn(value, member));

/** Every declared value is in its registry. */
function expectListed(
  declared: Awaited<ReturnType<typeof exportsOf>>,
  registry: readonly unknown[],
  remedy: string,
): void {
  const missing = declared.filter(({ value }) => !registry.includes(value));
  expectNone(
    missing.map(({ file, name }) => `${name} of ${file}`),
    remedy,
  );
}

describe('the processes of the house', () => {
  it('are all in the registry', async () => {
    const declared = (await exportsOf('libs', '.process.ts')).filter(({ value }) =>
      hasMembers(value, ['name', 'lane', 'toDo', 'act']),
    );
    expect(declared.length).toBeGreaterThan(8);
    expectListed(declared, processes, 'list these processes in libs/runtime/processes.ts');
  });
});

describe('the kinds of sources', () => {
  const names = sourceKinds.map(({ name }) => name);

  it('are all in the registry', async () => {
    const declared = (await exportsOf('libs/sources/kinds')).filter(({ value }) =>
      hasMembers(value, ['name', 'terms', 'read']),
    );
    expect(declared.length).toBeGreaterThan(8);
    expectNone(
      declared.flatMap(({ file, value }) =>
        hasMembers(value, ['name']) && names.includes(value.name) ? [] : [file],
      ),
      'list these kinds in libs/sources/source-kinds.ts',
    );
  });

  it('are described, one row each', () => {
    const page = textOf('docs/sources.md');
    expectNone(
      names.filter((name) => !page.includes(`\n| \`${name}\` `)),
      'write a row for each of these kinds in docs/sources.md, "Kinds"',
    );
  });
});

describe('the console', () => {
  // Only the table of contents is read; nothing is injected.
  const { controllers = [] } = consolePages({ host: { clock: {} } } as Parameters<typeof consolePages>[0]);
  const page = textOf('docs/console.md');

  it('has all its pages in its module', async () => {
    const declared = (await exportsOf('apps/console/src/pages')).filter(
      ({ value }) => declarationOf(value) !== null,
    );
    expect(declared.length).toBeGreaterThan(35);
    expectListed(declared, controllers, 'list these pages in apps/console/src/console.module.ts');
  });

  it('has all its pages in its documentation', () => {
    const named = new Set(
      [...page.matchAll(/`(\/console[^`?]*)/g)].map(([, path = '']) => path.replaceAll(/<[^>]*>/g, '<>')),
    );
    const addresses = controllers.flatMap((target) => {
      const declared = declarationOf(target);
      return declared?.method === 'GET' ? declared.paths : [];
    });
    // Parts of a page, and the page of every other address.
    const own = addresses.filter((path) => !/\/(assets\/.*|events|\*.*)$/.test(path));
    expect(own.length).toBeGreaterThan(30);
    expectNone(
      own.filter((path) => !named.has(path.replaceAll(/:\w+/g, '<>'))),
      'name these pages in docs/console.md, "Pages"',
    );
  });

  it('has all its actions in its registry and its documentation, each an operator command', async () => {
    const declared = (await exportsOf('apps/console/src/actions', '.actions.ts')).filter(({ value }) =>
      hasMembers(value, ['command', 'title', 'fields', 'preview']),
    );
    expect(declared.length).toBeGreaterThan(20);
    expectListed(declared, actions, 'list these actions in apps/console/src/actions/actions.ts');
    const commands = new Set(operatorCommands.map(({ name }) => name));
    const [, section = ''] = /\n## Actions\n([^]*?)\n## /.exec(page) ?? [];
    const named = actions.map(({ command }) => command);
    expectNone(
      named.filter((command) => !commands.has(command)),
      'these actions send no operator command',
    );
    expectNone(
      named.filter((command) => !section.includes(`\`${command}\``)),
      'name these commands in docs/console.md, "Actions"',
    );
  });
});
