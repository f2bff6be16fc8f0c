import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';

/**
 * Names the lines of the sources in stacks that pass through a script, which stacks call `name`. Node does this only for modules. The
 * map next to the file of the script is read at the first such stack, which takes a quarter of a second for that of all programs;
 * without a map the stacks stay as they are.
 */
export function nameSourceLines(name: string, file: string): void {
  let map: SourceMap | null | undefined;
  const sourceOf = (line: number, column: number): string | null => {
    if (map === undefined) map = mapOf(file);
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
  Error.prepareStackTrace = (error, frames) =>
    [firstLine(error), ...frames.map((frame) => `    at ${textOf(frame)}`)].join('\n');
}

function mapOf(file: string): SourceMap | null {
  const map = `${file}.map`;
  return existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : null;
}

/** As V8 writes it; the name or the message of an error may be a getter that throws. */
function firstLine(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}
