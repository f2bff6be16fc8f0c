import { Option } from 'commander';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { decimalNumber } from '#kernel/values/decimal-number.js';
import { namesOfPattern, type TObject, type TSchema } from '#kernel/values/schema.js';

/** The call is invalid; the message says how to correct it. */
export class WrongUsage extends Error {}

/** The system refuses to write a permitted file. */
export class UnwritableFile extends Error {}

const flagOf = (property: string): string => property.replaceAll('_', '-');

/** A field as the caller of a command names it: its option if the command has one. */
export const optionNamed = (options: readonly Option[], field: string): string =>
  options.find(({ long }) => long === `--${flagOf(field)}`)?.long ?? field;

/** A message in which the fields of several words are named as the caller names them. */
export const withOptionsNamed = (options: readonly Option[], message: string): string =>
  message.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (field) => optionNamed(options, field));

/** A longer one would leave no space for the descriptions. */
const LONGEST_KIND = 40;

/** One option per property of the input: `workspace_id` is `--workspace-id <integer>`. */
export function optionsOf(input: TObject): readonly Option[] {
  const required = new Set<string>(input.required ?? []);
  return Object.entries(input.properties).map(([property, schema]) => {
    const kind = namesOfPattern(String(schema['pattern']))?.join('|') ?? kindOf(schema);
    const isLong = kind.length > LONGEST_KIND;
    const description = [
      schema.description,
      required.has(property) ? '(required)' : undefined,
      isLong ? `– one of ${kind.split('|').join(', ')}` : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(' ');
    // A flag without a value means yes.
    const value = kind === 'boolean' ? '[boolean]' : `<${isLong ? 'choice' : kind}>`;
    return new Option(`--${flagOf(property)} ${value}`, description);
  });
}

function kindOf(schema: TSchema): string {
  const alternatives: readonly TSchema[] = schema['anyOf'] ?? [];
  if (Array.isArray(schema['enum'])) return schema['enum'].join('|');
  if (typeof schema['type'] === 'string') return schema['type'];
  return alternatives.map(kindOf).join('|') || 'json';
}

/** The input from `--input`, with given options taking precedence. */
export async function readOptions(
  input: TObject,
  options: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const file = options['input'];
  const whole = typeof file === 'string' ? parseObject(await read(file), '--input') : {};
  for (const [property, schema] of Object.entries(input.properties)) {
    const given = options[camelCase(flagOf(property))];
    if (given === true) whole[property] = true;
    if (typeof given === 'string') whole[property] = valueOf(schema, given, `--${flagOf(property)}`);
  }
  return whole;
}

async function read(file: string): Promise<string> {
  return readAll(await openInput(file));
}

/**
 * The bytes of a file in the call, `-` for standard input. A missing file is wrong usage, and so is one that may
 * never end: a pipe, a device.
 */
export async function openInput(file: string): Promise<Readable> {
  if (file === '-') return process.stdin;
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw new WrongUsage(`${file} is a directory`);
    if (!found.isFile())
      throw new WrongUsage(`${file} is not a regular file: give it on standard input, with - as its name`);
    return (await open(file)).createReadStream();
  } catch (error) {
    if (error instanceof WrongUsage) throw error;
    // `ENOENT: no such file or directory, stat 'a name'`: the code and the system call are left out.
    const [, reason] = error instanceof Error ? (/^[A-Z]+: (.+?), \w+/.exec(error.message) ?? []) : [];
    throw new WrongUsage(`${file} cannot be read${reason === undefined ? '' : `: ${reason}`}`);
  }
}

/** Text stays text if the schema is text: amounts are parsed exactly, digit by digit. */
function valueOf(schema: TSchema, given: string, flag: string): unknown {
  const kinds = kindOf(schema).split('|');
  if (given === 'null' && kinds.includes('null')) return null;
  if (kinds.includes('string') || Array.isArray(schema['enum'])) return given;
  if (kinds.includes('integer') || kinds.includes('number')) {
    const number = decimalNumber(given);
    if (Number.isNaN(number)) throw new WrongUsage(`${flag} takes a number, not ${JSON.stringify(given)}`);
    return number;
  }
  if (kinds.includes('boolean')) {
    if (given !== 'true' && given !== 'false')
      throw new WrongUsage(`${flag} takes true or false, not ${JSON.stringify(given)}`);
    return given === 'true';
  }
  return parse(given, flag);
}

function parse(text: string, flag: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongUsage(`${flag} takes JSON`);
  }
}

function parseObject(text: string, flag: string): Record<string, unknown> {
  const value = parse(text, flag);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WrongUsage(`${flag} takes a JSON object`);
  return { ...value };
}

const camelCase = (flag: string): string =>
  flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
