import {
  createWriteStream,
  linkSync,
  lstatSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refusal } from '#kernel/values/refusal.js';
import type { Settings } from '#runtime/settings.js';
import type { FileClaim } from '#runtime/unfinished-file.js';
import { readFileHeader } from '#sqlite/file-header.js';
import { beforeSignalEnds } from './ending-signals.js';
import { codeOf, unwritable, unwritableStore } from './unwritable.js';

const fileExists = refusal({
  code: 'file-exists',
  kind: 'conflicting',
  detail: 'A file with this name exists and is not overwritten: give another name, or use --overwrite.',
});
const fileIsWritten = refusal({
  code: 'file-is-written',
  kind: 'conflicting',
  detail: 'Another command writes this file.',
});
const fileIsNotReplaced = refusal({
  code: 'file-is-not-replaced',
  kind: 'conflicting',
  detail: 'An export never replaces a database, a file of this service, a folder, a device or a broken link.',
});

/** The target of an export, checked before it is created. */
export type ExportTarget = { readonly file: string; readonly isOverwritten: boolean };

type Files = Pick<Settings, 'dataDirectory' | 'eventStore' | 'readStore' | 'networkStore' | 'secretsKeyFile'>;

/** Files that SQLite keeps next to a database. */
const COMPANION = /-(?:wal|shm|journal)$/;
const OWN_FILES = ['cursor.secret', 'address.json'];

/** Throws `fileExists`, and with `--overwrite` `fileIsNotReplaced`, before anything is opened or written. */
export async function exportTarget(file: string, overwrite: boolean, settings: Files): Promise<ExportTarget> {
  try {
    return await checkedTarget(file, overwrite, settings);
  } catch (error) {
    throw unwritable(error, file);
  }
}

async function checkedTarget(file: string, overwrite: boolean, settings: Files): Promise<ExportTarget> {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return { file, isOverwritten: false };
  if (!overwrite) throw fileExists({ members: { file } });
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) throw fileIsNotReplaced({ members: { file } });
  // A link is followed to its target, as a shell does.
  const place = realpathSync(file);
  if (isOfService(place, settings) || (await isDatabase(place)))
    throw fileIsNotReplaced({ members: { file } });
  return { file: place, isOverwritten: true };
}

/** By device and inode: a hard link is the same file. */
function isOfService(place: string, settings: Files): boolean {
  const { dataDirectory, eventStore, readStore, networkStore, secretsKeyFile } = settings;
  const stores = [eventStore, readStore, networkStore].flatMap((store) =>
    store.kind === 'sqlite' ? [store.path, `${store.path}-wal`, `${store.path}-shm`] : [],
  );
  const wanted = statSync(place, { bigint: true });
  const others = OWN_FILES.map((name) => join(dataDirectory, name));
  if (secretsKeyFile !== null) others.push(secretsKeyFile);
  return [...stores, ...others].some((own) => {
    const found = statSync(own, { bigint: true, throwIfNoEntry: false });
    return found !== undefined && found.dev === wanted.dev && found.ino === wanted.ino;
  });
}

async function isDatabase(place: string): Promise<boolean> {
  if ((await readFileHeader(place)).kind === 'sqlite') return true;
  const owner = place.replace(COMPANION, '');
  return owner !== place && (await readFileHeader(owner)).kind === 'sqlite';
}

/**
 * Writes a text of any length with back-pressure, to a file or to standard output (null). A file is written
 * completely or not at all. Throws `fileIsWritten` while another command writes the file, and `fileExists` if a file of this
 * name was created meanwhile.
 */
export async function writeExport(pieces: AsyncIterable<string>, target: ExportTarget | null): Promise<void> {
  if (target === null) {
    await pipeline(Readable.from(pieces), process.stdout, { end: false });
    return;
  }
  const { file, isOverwritten } = target;
  const claim = await claimOn(file);
  const unfinished = join(dirname(file), `${basename(file)}.${process.pid}.part`);
  const endIt = (): void => {
    rmSync(unfinished, { force: true });
    claim.release();
  };
  // Nobody would look for the unfinished file.
  const ignoreSignals = beforeSignalEnds(endIt);
  try {
    removeRemains(file);
    const output = createWriteStream(unfinished, { flush: true });
    await pipeline(Readable.from(pieces), output);
    if (isOverwritten) renameSync(unfinished, file);
    else nameIt(unfinished, file);
  } catch (error) {
    throw unwritable(error, file);
  } finally {
    ignoreSignals();
    endIt();
  }
}

async function claimOn(file: string): Promise<FileClaim> {
  const { claimOf } = await import('#runtime/unfinished-file.js');
  try {
    return claimOf(file, () => fileIsWritten({ members: { file } }));
  } catch (error) {
    throw unwritableStore(error, [file]);
  }
}

/** Removes what killed commands have left of this file. Nobody else writes it: the caller has its claim. */
function removeRemains(file: string): void {
  const folder = dirname(file);
  const ownName = `${basename(file)}.`;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(ownName) && /^\d+\.part$/.test(name.slice(ownName.length)))
      rmSync(join(folder, name), { force: true });
  }
}

/** A link fails if the name is taken; a rename would replace the file. */
function nameIt(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') throw fileExists({ members: { file } });
    // This file system has no links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw fileExists({ members: { file } });
    renameSync(unfinished, file);
  }
}
