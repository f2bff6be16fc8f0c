import { isJsonObject, type JsonObject } from '#kernel/values/json.js';
import { payloadShortcuts } from './shortcut-facts.js';

/** Version 2 of SignalDetected contained all details, so a missing key means that there is none. */
export function detectionWithoutRepeats(detection: JsonObject): JsonObject {
  const { signalType, signalDate, data = null, details } = detection;
  const stood = isJsonObject(details) ? details : {};
  const told = payloadShortcuts({
    signalType: typeof signalType === 'string' ? signalType : '',
    signalDate: typeof signalDate === 'string' ? signalDate : null,
    data,
  });
  const none = Object.keys(told.details).filter((key) => !Object.hasOwn(stood, key));
  return { ...detection, details: { ...stood, ...Object.fromEntries(none.map((key) => [key, null])) } };
}
