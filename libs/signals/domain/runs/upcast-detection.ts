import { isJsonObject, type JsonObject } from '#kernel/values/json.js';
import { payloadShortcuts } from './shortcut-facts.js';

/** Version 2 of SignalDetected contained all details, so a missing key means that there is none. */
export function detectionWithoutRepeats(detection: JsonObject): JsonObject {
  const { signalType, signalDate, data = null, details } = detection;
  const stored = isJsonObject(details) ? details : {};
  const derived = payloadShortcuts({
    signalType: typeof signalType === 'string' ? signalType : '',
    signalDate: typeof signalDate === 'string' ? signalDate : null,
    data,
  });
  const none = Object.keys(derived.details).filter((key) => !Object.hasOwn(stored, key));
  return { ...detection, details: { ...stored, ...Object.fromEntries(none.map((key) => [key, null])) } };
}
