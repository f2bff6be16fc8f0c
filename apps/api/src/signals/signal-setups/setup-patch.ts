import { SOMETHING_VISIBLE } from '#kernel/values/blank-text.js';
import type { Faults } from '#kernel/values/faults.js';
import type { SignalSetupPatch } from '#signals/domain/setups/signal-setup.js';
import { invalidRequest } from '#http/problem.js';
import { readEnabled, readName, readParameters, whenSent } from '../../patch-fields.js';
import { readSchedule, SCHEDULE_FIELD } from '../schedule.body.js';

/** The body of a PATCH as sent: it is checked only after the setup was found (OP-01). */
export type SentSetupPatch = { readonly [Field in keyof typeof SETUP_PATCH_FIELDS]?: unknown };

const MAX_NAME_LENGTH = 255;

/** The JSON Schema of the fields that `readSetupPatch` reads. */
export const SETUP_PATCH_FIELDS = {
  name: { type: 'string', maxLength: MAX_NAME_LENGTH, pattern: SOMETHING_VISIBLE },
  enabled: { type: 'boolean' },
  parameters: { type: 'object', description: 'Merged key by key; null removes one' },
  schedule: SCHEDULE_FIELD,
};

/** Reads a patch; refuses all wrong types at once. */
export function readSetupPatch(sent: SentSetupPatch): SignalSetupPatch {
  const faults: Faults = new Map();
  const patch = {
    name: whenSent(sent.name, (value) => readName(value, MAX_NAME_LENGTH, faults)),
    enabled: whenSent(sent.enabled, (value) => readEnabled(value, faults)),
    parameters: whenSent(sent.parameters, (value) => readParameters(value, faults)),
    schedule: whenSent(sent.schedule, (value) => readSchedule(value, faults)),
  };
  if (faults.size > 0) throw invalidRequest('body', 422, faults);
  return patch;
}
