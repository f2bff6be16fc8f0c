import { counted } from '#kernel/values/counted.js';
import { below, MOST_FAULTS, note, ofEntry, type Faults } from '#kernel/values/faults.js';
import type { JsonType, Shape } from './body-shape.js';
import { formats } from './json-schema.js';

/** Collects all faults of a value, by dotted path, in plain words. */
export function collectFaults(shape: Shape, value: unknown, path: string, faults: Faults): void {
  if (faults.size >= MOST_FAULTS) return;
  if (value === null && shape.nullable) return;
  const { keywords } = shape;
  if (keywords.enum !== undefined && !keywords.enum.includes(value)) {
    note(faults, path, `must be one of ${keywords.enum.join(', ')}${shape.nullable ? ' or null' : ''}`);
    return;
  }
  if (shape.type !== null && !isOfType(shape.type, value)) {
    note(faults, path, `must be ${typeNames[shape.type]}${shape.nullable ? ' or null' : ''}`);
    return;
  }
  if (typeof value === 'string') checkText(shape, value, path, faults);
  else if (typeof value === 'number') checkNumber(shape, value, path, faults);
  else if (Array.isArray(value)) checkArray(shape, value, path, faults);
  else if (typeof value === 'object' && value !== null) checkObject(shape, value, path, faults);
}

/**
 * Whether an object lacks required members, or has too many of them; the fault is added, unless the shape has a
 * message for the whole object.
 */
export function noteNeeded({ needed }: Shape, object: object, faults: Faults): boolean {
  if (needed === null) return false;
  const { keyword, names } = needed;
  const sent = names.filter((name) => Object.hasOwn(object, name));
  if (keyword === 'anyOf') return sent.length === 0;
  if (sent.length === 1) return false;
  // One rule gives one fault, always with the same field name.
  note(faults, names[0] ?? '', `exactly one of ${names.join(', ')} is needed`);
  return true;
}

const typeNames: { readonly [Type in JsonType]: string } = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

function isOfType(type: JsonType, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
  }
}

function checkText({ keywords, patterns }: Shape, text: string, path: string, faults: Faults): void {
  const { minLength = 0, maxLength = Infinity, format } = keywords;
  const length = lengthOf(text);
  if (length < minLength) {
    note(
      faults,
      path,
      minLength === 1 ? 'must not be empty' : `must contain at least ${minLength} characters`,
    );
  }
  if (length > maxLength) note(faults, path, `must contain at most ${maxLength} characters`);
  for (const { source, message } of patterns) {
    if (!new RegExp(source, 'u').test(text)) note(faults, path, message);
  }
  if (format !== undefined && !formats[format].validate(text)) note(faults, path, formats[format].message);
}

function checkNumber({ type, keywords }: Shape, value: number, path: string, faults: Faults): void {
  const { minimum = -Infinity, maximum = Infinity } = keywords;
  if (type === 'integer' && !Number.isSafeInteger(value)) {
    // above 2^53 a JSON number does not identify one integer
    note(faults, path, 'must be an integer');
    return;
  }
  if (value < minimum) note(faults, path, `must be at least ${minimum}`);
  if (value > maximum) note(faults, path, `must be at most ${maximum}`);
}

function checkArray(
  { keywords, items }: Shape,
  array: readonly unknown[],
  path: string,
  faults: Faults,
): void {
  const { minItems = 0, maxItems = Infinity, uniqueItems } = keywords;
  if (array.length < minItems)
    note(faults, path, `must contain at least ${counted(minItems, 'entry', 'entries')}`);
  if (array.length > maxItems) {
    note(faults, path, `must contain at most ${counted(maxItems, 'entry', 'entries')}`);
    return;
  }
  if (uniqueItems === true && new Set(array).size < array.length) {
    note(faults, path, 'must not contain an entry twice');
  }
  if (items === null) return;
  for (const [index, entry] of array.entries()) {
    if (faults.size >= MOST_FAULTS || (faults.get(path)?.length ?? 0) >= MOST_FAULTS) return;
    if (items.type === 'object') collectFaults(items, entry, below(path, index), faults);
    else collectFaultsOfEntry(items, entry, index, path, faults);
  }
}

/** A list of texts or numbers is one field for a client (OP-39, OP-49), so the message names the entry. */
function collectFaultsOfEntry(
  items: Shape,
  entry: unknown,
  index: number,
  path: string,
  faults: Faults,
): void {
  const found: Faults = new Map();
  collectFaults(items, entry, path, found);
  for (const message of found.get(path) ?? []) note(faults, path, ofEntry(index, message));
}

function checkObject({ properties, required }: Shape, object: object, path: string, faults: Faults): void {
  if (properties === null) return;
  for (const [name, shape] of properties) {
    const member = Object.getOwnPropertyDescriptor(object, name);
    if (member !== undefined) collectFaults(shape, member.value, below(path, name), faults);
    else if (required.has(name)) note(faults, below(path, name), 'is required');
  }
}

/** The number of code points, without making an array of a long text. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}
