import type { JsonObject } from '#kernel/json.js';
import type { SignalSetupPatch } from '#domain/signal-setups/signal-setup.js';
import { note, type Faults } from '#http/parameters.js';
import { invalidRequest } from '#http/problem.js';

/** The body of a PATCH as it came: it is judged only after the setup was found (OP-01). */
export type SentSetupPatch = {
  readonly name?: unknown;
  readonly enabled?: unknown;
  readonly parameters?: unknown;
  readonly schedule?: unknown;
};

const MAX_NAME_LENGTH = 255;

/** What `readSetupPatch` asks of each field, as JSON Schema. */
export const SETUP_PATCH_FIELDS = {
  name: { type: 'string', maxLength: MAX_NAME_LENGTH, pattern: '\\S' },
  enabled: { type: 'boolean' },
  parameters: { type: 'object', description: 'Merged key by key; null removes one' },
  schedule: {
    type: ['object', 'null'],
    properties: { cadence: { enum: ['weekly'] } },
    required: ['cadence'],
  },
};

/** Reads a patch; refuses wrong types, all at once, and a patch without a field that can be changed. */
export function readSetupPatch(sent: SentSetupPatch): SignalSetupPatch {
  const faults: Faults = new Map();
  const patch = {
    name: sent.name === undefined ? undefined : readName(sent.name, faults),
    enabled: sent.enabled === undefined ? undefined : readEnabled(sent.enabled, faults),
    parameters: sent.parameters === undefined ? undefined : readParameters(sent.parameters, faults),
    schedule: sent.schedule === undefined ? undefined : readSchedule(sent.schedule, faults),
  };
  if (faults.size > 0) throw invalidRequest('body', 422, faults);
  if (Object.values(patch).every((value) => value === undefined)) {
    throw invalidRequest(
      'body',
      422,
      undefined,
      'Send at least one of name, enabled, parameters and schedule.',
    );
  }
  return patch;
}

function readName(value: unknown, faults: Faults): string {
  if (typeof value !== 'string') note(faults, 'name', 'must be a string');
  else if (value.trim() === '') note(faults, 'name', 'must not be empty');
  else if ([...value].length > MAX_NAME_LENGTH) {
    note(faults, 'name', `must contain at most ${MAX_NAME_LENGTH} characters`);
  } else return value;
  return '';
}

function readEnabled(value: unknown, faults: Faults): boolean {
  if (typeof value !== 'boolean') note(faults, 'enabled', 'must be true or false');
  return value === true;
}

function readParameters(value: unknown, faults: Faults): JsonObject {
  if (isJsonObject(value)) return value;
  note(faults, 'parameters', 'must be an object');
  return {};
}

function readSchedule(value: unknown, faults: Faults): 'weekly' | null {
  if (value === null) return null;
  if (!isJsonObject(value)) note(faults, 'schedule', 'must be an object or null');
  else if (!Object.hasOwn(value, 'cadence')) note(faults, 'schedule.cadence', 'is required');
  else if (value['cadence'] !== 'weekly') note(faults, 'schedule.cadence', 'must be one of weekly');
  return 'weekly';
}

// What came out of a JSON body is JSON.
function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
