/** An object that is made before the first case; reading it earlier is a mistake of the spec. */
export function late<Value extends object>(name: string, value: () => Value | undefined): Value {
  const made = (use: string): Value => {
    const found = value();
    if (found === undefined) throw new Error(`${name} is used before it is made (${use})`);
    return found;
  };
  return new Proxy({} as Value, {
    get: (_, key) => Reflect.get(made(`reading ${String(key)}`), key),
    has: (_, key) => Reflect.has(made(`looking for ${String(key)}`), key),
    // For `{ ...value }`. The members are not those of the empty object behind the proxy, so they are configurable.
    ownKeys: () => Reflect.ownKeys(made('spread')),
    getOwnPropertyDescriptor: (_, key) => {
      const member = Reflect.getOwnPropertyDescriptor(made('spread'), key);
      return member && { ...member, configurable: true };
    },
  });
}

/** What all cases of this `describe` (or file) use: it is opened before them and closed after them. */
export function shared<Value extends { readonly close: () => Promise<unknown> }>(
  name: string,
  open: () => Promise<Value>,
): Value {
  let opened: Value | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());
  return late(name, () => opened);
}
