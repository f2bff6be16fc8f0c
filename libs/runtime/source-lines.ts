import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';

/**
 * Names the lines of the sources in stacks that pass through a script. Node does this only for modules. The map next to the script is
 * read at the first such stack, which takes a quarter of a second for that of all programs; without a map the stacks stay as they are.
 */
export function nameSourceLines(script: string): void {
  let map: SourceMap | null | undefined;
  const sourceOf = (line: number, column: number): string | null => {
    map ??= mapOf(script);
    const entry = map?.findEntry(line - 1, column - 1);
    if (entry === undefined || !('originalSource' in entry)) return null;
    const source = resolve(dirname(script), entry.originalSource);
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  };
  const textOf = (frame: NodeJS.CallSite): string => {
    const text = String(frame);
    const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
    if (frame.getFileName() !== script || line === null || column === null) return text;
    return text.replace(`${script}:${line}:${column}`, (place) => sourceOf(line, column) ?? place);
  };
  Error.prepareStackTrace = (error, frames) =>
    [firstLine(error), ...frames.map((frame) => `    at ${textOf(frame)}`)].join('\n');
}

function mapOf(script: string): SourceMap | null {
  const file = `${script}.map`;
  return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

/** As V8 writes it; the name or the message of an error may be a getter that throws. */
function firstLine(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}
