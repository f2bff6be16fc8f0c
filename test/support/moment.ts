/** A promise with its resolving function. */
export type Moment = { readonly promise: Promise<void>; readonly resolve: () => void };

export function moment(): Moment {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
