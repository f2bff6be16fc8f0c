import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';

/** Errors often come together, and the map takes much memory. */
const KEPT_MS = 10_000;

/**
 * Names the lines of the sources in stacks that pass through a script, which stacks call `name`. Node does this only for modules. The
 * map next to the file of the script is read when a stack needs it, which takes a quarter of a second for that of all programs, and
 * kept for a short time. Without a map that can be read the stacks stay as they are.
 */
export function nameSourceLines(name: string, file: string): void {
  let map: SourceMap | null | undefined;
  const sourceOf = (line: number, column: number): string | null => {
    if (map === undefined) {
      map = mapOf(file);
      setTimeout(() => (map = undefined), KEPT_MS).unref();
    }
    const entry = map?.findEntry(line - 1, column - 1);
    if (entry === undefined || !('originalSource' in entry)) return null;
    const source = resolve(dirname(file), entry.originalSource);
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  };
  const textOf = (frame: NodeJS.CallSite): string => {
    const text = String(frame);
    const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
    if (frame.getFileName() !== name || line === null || column === null) return text;
    return text.replace(`${name}:${line}:${column}`, (place) => sourceOf(line, column) ?? place);
  };
  Error.prepareStackTrace = (error, frames) => {
    const first = firstLine(error);
    // An error without a message is how packages note a stack: gRPC reads one for each call that was cancelled or found nothing.
    const text = first === 'Error' ? String : textOf;
    return [first, ...frames.map((frame) => `    at ${text(frame)}`)].join('\n');
  };
}

function mapOf(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    return null;
  }
}

/** As Node writes it, with the code of its own errors; the name or the message of an error may be a getter that throws. */
function firstLine(error: Error): string {
  try {
    const line = Error.prototype.toString.call(error);
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    return code.startsWith('ERR_') && !line.includes(`[${code}]`)
      ? line.replace(error.name, `${error.name} [${code}]`)
      : line;
  } catch {
    return 'Error';
  }
}
