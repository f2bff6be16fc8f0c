/** An answer with a status or headers of its own; a handler that returns plain data gets the endpoint's status. */
export class Reply<Data> {
  constructor(
    readonly data: Data,
    readonly status: number | null,
    readonly headers: { readonly [name: string]: string },
  ) {}
}

/** `reply(list, { headers: { Allow: 'GET' } })`; `status` only if the endpoint declares it. */
export function reply<Data>(
  data: Data,
  options: { readonly status?: number; readonly headers?: { readonly [name: string]: string } } = {},
): Reply<Data> {
  return new Reply(data, options.status ?? null, options.headers ?? {});
}
