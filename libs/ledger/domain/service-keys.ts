/** The charge keys that the service derives from the causes of its own charges. */
const SERVICE_KEYS = [
  /^launch:\d+:./,
  /^enrichment:\d+$/,
  /^account:\d+:\d+$/,
  /^profile:\d+:\d{4}-\d{2}-\d{2}:./,
  /^monitoring:\d+:\d+:\d{4}-\d{2}$/,
] as const;

/**
 * Whether a charge key has the form of a key of the service. A key belongs to one charge for ever, so another charge
 * under the key would stop the run, the call or the month that the key is for.
 */
export const isServiceKey = (key: string): boolean => SERVICE_KEYS.some((form) => form.test(key));
