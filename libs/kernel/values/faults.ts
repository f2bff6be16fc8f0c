/** Messages by parameter name or path (`items.0.name`): `errors` of a problem document. */
export type Faults = Map<string, string[]>;

/** Notes a message under a name, once. */
export function note(faults: Faults, name: string, message: string): void {
  const messages = faults.get(name);
  if (messages === undefined) faults.set(name, [message]);
  else if (!messages.includes(message)) messages.push(message);
}

/**
 * More messages do not help a reader, and a body with millions of invalid entries must not cause millions of
 * messages.
 */
export const MOST_FAULTS = 100;

/** A message about one entry of a list, at this index; a reader counts the first one as 1: `entry 2 must be text`. */
export const ofEntry = (index: number, message: string): string => `entry ${index + 1} ${message}`;

/** The dotted path of a member or an entry of what is at a path. */
export const below = (path: string, member: string | number): string =>
  path === '' ? String(member) : `${path}.${member}`;
