import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '#runtime/settings.js';
import { cursorSecret } from '#runtime/stores.js';
import { diagnostic } from '#test/support/diagnostic.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const folder = temporaryFolder('power-cut');
const succeeds = (command: string, ...words: string[]): boolean => spawnSync(command, words).status === 0;

/** Mounts the file system in this file for `work`; false where none can be mounted. */
function mounted(image: string, work: (disk: string) => void): boolean {
  const disk = `${image}.mounted`;
  mkdirSync(disk);
  if (!succeeds('mount', '-o', 'loop', image, disk)) return false;
  try {
    work(disk);
  } finally {
    succeeds('umount', disk);
  }
  return true;
}

/** A file in this folder is flushed, and with it the names of all files, as by an append to the log. */
function flushAnother(disk: string): void {
  const file = openSync(join(disk, 'another'), 'w');
  writeFileSync(file, 'x');
  fsyncSync(file);
  closeSync(file);
}

describe('a power cut', () => {
  it('leaves no empty cursor secret, with which the service would not start again', () => {
    const image = join(folder, 'disk');
    writeFileSync(image, '');
    truncateSync(image, 32 * 1024 * 1024);
    const atCut = join(folder, 'disk-at-the-cut');
    const secretOn = (disk: string): string => cursorSecret(readSettings({ DATA_DIR: disk }));
    const isMounted =
      succeeds('mkfs.ext4', '-q', '-F', image) &&
      mounted(image, (disk) => {
        const secret = secretOn(disk);
        flushAnother(disk);
        copyFileSync(image, atCut);
        mounted(atCut, (found) => expect(secretOn(found)).toBe(secret));
      });
    if (!isMounted) diagnostic('skipped: file systems cannot be made and mounted here');
  });
});
