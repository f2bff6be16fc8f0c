/** An object that is made before the first case; reading it earlier is a mistake of the spec. */
export function late<Value extends object>(name: string, value: () => Value | undefined): Value {
  const get = (_: Value, key: string | symbol): unknown => {
    const made = value();
    if (made === undefined) throw new Error(`${name} is used before it is made (reading ${String(key)})`);
    return Reflect.get(made, key);
  };
  return new Proxy({} as Value, {
    get,
    // For `{ ...value }`.
    ownKeys: () => Reflect.ownKeys(value() ?? {}),
    getOwnPropertyDescriptor: (_, key) => ({ value: get(_, key), enumerable: true, configurable: true }),
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
