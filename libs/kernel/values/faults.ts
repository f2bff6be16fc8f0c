/** Messages by parameter name or path (`items.0.name`): `errors` of a problem document. */
export type Faults = Map<string, string[]>;

/** Notes a message under a name, once. */
export function note(faults: Faults, name: string, message: string): void {
  const messages = faults.get(name);
  if (messages === undefined) faults.set(name, [message]);
  else if (!messages.includes(message)) messages.push(message);
}
