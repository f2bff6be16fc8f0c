import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { UnwritableFile, WrongUsage } from './options.js';

/** An invalid path in the call is wrong usage; an error of the system is a refusal. */
const MISNAMED = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG']);

/** What an error of the system means for a file of the call that is written. Other errors are unchanged. */
export function unwritable(error: unknown, file: string): unknown {
  const code = codeOf(error);
  if (code === null || !(error instanceof Error)) return error;
  const message = `${file} cannot be written: ${error.message}`;
  return MISNAMED.has(code) ? new WrongUsage(message) : new UnwritableFile(message);
}

/** As `unwritable`, for one of several files that are written as stores. The stores that are read are no such file. */
export function unwritableStore(error: unknown, files: readonly string[]): unknown {
  if (!(error instanceof StoreUnavailable)) return error;
  // Its message begins with the file, or with a file beside it under its name and a suffix.
  const file = files.find((each) => [' ', '.'].some((next) => error.message.startsWith(each + next)));
  if (file === undefined) return error;
  return codeOf(error.cause) === null ? new UnwritableFile(error.message) : unwritable(error.cause, file);
}

/** The system's error code; null for an error of another kind. */
export function codeOf(error: unknown): string | null {
  const isOfSystem = error instanceof Error && 'syscall' in error && 'code' in error;
  return isOfSystem ? String(error.code) : null;
}
