import { open, stat } from 'node:fs/promises';
import { fileError } from './file-error.js';

/** The facts in the first bytes of a file, https://www.sqlite.org/fileformat.html#the_database_header */
export type FileHeader =
  | { readonly kind: 'empty' }
  /** A folder, a pipe or a device: it is not opened, for that may never end. */
  | { readonly kind: 'irregular' }
  | { readonly kind: 'other' }
  | { readonly kind: 'sqlite'; readonly applicationId: number };

const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');
const HEADER_BYTES = 100;
const APPLICATION_ID_OFFSET = 68;

/** As `readFileHeader`, of a store. Throws `StoreUnavailable` if the system does not let it read the file. */
export async function readStoreHeader(path: string): Promise<FileHeader> {
  try {
    return await readFileHeader(path);
  } catch (error) {
    throw fileError(error, path, 'read');
  }
}

/** Reads the header without SQLite, so that a file of another program is not changed. A missing file is empty. */
export async function readFileHeader(path: string): Promise<FileHeader> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return { kind: 'empty' };
  if (!found.isFile()) return { kind: 'irregular' };
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    if (bytesRead === 0) return { kind: 'empty' };
    if (bytesRead < HEADER_BYTES || !buffer.subarray(0, MAGIC.length).equals(MAGIC)) return { kind: 'other' };
    return { kind: 'sqlite', applicationId: buffer.readInt32BE(APPLICATION_ID_OFFSET) };
  } finally {
    await file.close();
  }
}
