import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/**
 * The garbage of the old generation is collected when the heap has doubled since the last time; V8 waits until it has four times the
 * size. Measured in a round of 300 runs (docs/adr/0146): 520 instead of 697 MiB for 79 and 78 s of processor; with half as much growth
 * 461 MiB.
 */
const HEAP_GROWTH = '--heap-growing-percent=100';

/** The name in stacks. Cached code keeps the name with which it was compiled, wherever the file is later. */
export const SCRIPT_NAME = 'programs.cjs';

/** A program of the bundle. */
export type Program = { readonly run: () => Promise<void> };

/** The programs of the bundle, each loaded when it is asked for. */
export type Programs = { readonly [name: string]: () => Promise<Program> };

/** V8's options of every program. They are set before anything is compiled: V8 takes no cached code of other options. */
export function setOptions(): void {
  setFlagsFromString(HEAP_GROWTH);
}

/** The script of the bundled programs, and the file for the compiled code of one of them. */
export type BundledScript = { readonly script: Script; readonly codeCache: string };

/** The script begins with a comment, which is an id of its text. */
const ID = /^\/\*(\w+)\*\//;

/**
 * Compiles the file of the bundled programs, with V8's cache of compiled code of a program if there is one. V8 takes no cache of another
 * version or other options; the file is then compiled without it. Of the text V8 compares only the length, so the name of the cache
 * has the id of the text.
 *
 * The file is ASCII, so that V8 keeps its text with one byte for each character.
 */
export function bundledScript(file: string, program: string): BundledScript {
  const text = readFileSync(file, 'utf8');
  const codeCache = join(dirname(file), `${program}-${ID.exec(text)?.[1] ?? ''}.code`);
  const cached = existsSync(codeCache) ? { cachedData: readFileSync(codeCache) } : {};
  return { script: new Script(text, { filename: SCRIPT_NAME, ...cached }), codeCache };
}

/** Runs the file of the bundled programs as a CommonJS module. No program is loaded yet. */
export function programsOf(script: Script, file: string): Programs {
  const module: { exports: Programs } = { exports: {} };
  // The build wraps the file in a function with the parameters of Node's own wrapper.
  const wrapped: (...parameters: readonly unknown[]) => void = script.runInThisContext();
  wrapped.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
}
