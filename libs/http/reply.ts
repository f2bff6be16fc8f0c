/** An answer with its own status or headers; plain data of a handler is sent with the endpoint's status. */
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
  options: { readonly status?: number; readonly headers?: { readonly [name: string]: string } },
): Reply<Data> {
  return new Reply(data, options.status ?? null, options.headers ?? {});
}
