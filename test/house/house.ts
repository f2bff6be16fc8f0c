import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Vocabulary } from '#kernel/events/event.js';

/**
 * Shared parts of the tests that check the whole house: its files and its exports. Nothing of the service is
 * imported.
 */

export const houseRoot = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Source files below a folder, as paths from the root. */
export function sourceFiles(folder: string): readonly string[] {
  return readdirSync(join(houseRoot, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => file.endsWith('.ts'))
    .sort();
}

/** Writes files below a folder. */
export function plant(folder: string, files: readonly (readonly [file: string, text: string])[]): void {
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** Files that start something when they are imported. */
const STARTS_SOMETHING = /(\.(spec|worker)|\/(main|run))\.ts$/;

/** All exports of the files below a folder, with their file; `ending` selects files by name. */
export async function exportsOf(
  folder: string,
  ending = '.ts',
): Promise<readonly { readonly file: string; readonly name: string; readonly value: unknown }[]> {
  await import('reflect-metadata');
  const files = sourceFiles(folder).filter((file) => file.endsWith(ending) && !STARTS_SOMETHING.test(file));
  const modules = await Promise.all(
    files.map(async (file) => {
      const compiled = join(houseRoot, 'dist', file.replace(/\.ts$/, '.js'));
      const exported = (await import(pathToFileURL(compiled).href)) as Record<string, unknown>;
      return Object.entries(exported).map(([name, value]) => ({ file, name, value }));
    }),
  );
  return modules.flat();
}

/**
 * The one source file that a search for this route finds; throws when it finds none or several. The demo and the
 * tests call routes as any client does: the search is for the file that serves them.
 */
export function servingFile(route: string): string {
  // A declaration quotes the route; steps for a shell name routes too.
  const whole = new RegExp(`(?<=')${route.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w/:-])`);
  const files = servingSources()
    .filter(({ text }) => whole.test(text))
    .map(({ file }) => file);
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) throw new Error(`${route} is in [${files.join(', ')}]`);
  return file;
}

let sources: readonly { readonly file: string; readonly text: string }[] | null = null;

function servingSources() {
  sources ??= ['apps/api', 'apps/mcp', 'libs']
    .flatMap((folder) => sourceFiles(folder))
    .filter((file) => !file.endsWith('.spec.ts'))
    // Tools call routes as any client does.
    .filter((file) => !file.startsWith('apps/mcp/src/tools/'))
    .map((file) => ({ file, text: readFileSync(join(houseRoot, file), 'utf8') }));
  return sources;
}

/** Folders that declare events and deciders: the domain of every feature, and two rooms of the infrastructure. */
export function foldersOfDecisions(): readonly string[] {
  const domains = readdirSync(join(houseRoot, 'libs'))
    .map((library) => `libs/${library}/domain`)
    .filter((folder) => existsSync(join(houseRoot, folder)));
  return [...domains, 'libs/clock', 'libs/keyed-requests'];
}

/** Folders of operator commands: in every feature, in the infrastructure's own room, and with the hosts. */
export function foldersOfCommands(): readonly string[] {
  const ofFeatures = readdirSync(join(houseRoot, 'libs'))
    .filter((library) => library !== 'kernel')
    .map((library) => `libs/${library}/commands`)
    .filter((folder) => existsSync(join(houseRoot, folder)));
  return [...ofFeatures, 'libs/ops'];
}

/** The exports of the modules in these folders. */
export async function exportsOfAll(
  folders: readonly string[],
  ending?: string,
): Promise<Awaited<ReturnType<typeof exportsOf>>> {
  return (await Promise.all(folders.map((folder) => exportsOf(folder, ending)))).flat();
}

/** Every declared vocabulary, with the folder that declares it and contains `golden/`. */
export async function declaredVocabularies(): Promise<
  readonly {
    readonly file: string;
    readonly folder: string;
    readonly name: string;
    readonly events: Vocabulary;
  }[]
> {
  const candidates = [
    ...(await exportsOfAll(foldersOfDecisions(), '.events.ts')),
    ...(await exportsOf('libs/kernel')),
  ];
  return candidates.flatMap(({ file, name, value }) =>
    isVocabulary(value) ? [{ file, folder: dirname(file), name, events: value }] : [],
  );
}

function isVocabulary(value: unknown): value is Vocabulary {
  if (typeof value !== 'object' || value === null) return false;
  const members: readonly unknown[] = Object.values(value);
  return (
    members.length > 0 &&
    members.every(
      (member) =>
        typeof member === 'object' && member !== null && 'schemaVersion' in member && 'upcasters' in member,
    )
  );
}
