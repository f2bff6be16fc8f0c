import type { TestService } from './service.js';

/** A page of the console as a browser without scripts gets it. */
export type ConsolePage = {
  readonly status: number;
  readonly location: string | null;
  readonly headers: Headers;
  readonly text: string;
};

/** A browser of one operator: it keeps the cookie, and sends the origin of the console with a form. */
export type ConsoleVisitor = {
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<ConsolePage>;
  /** Sends a form; `form_token` is that of the page that was read last, unless the fields name one. */
  readonly send: (
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<ConsolePage>;
  readonly cookie: () => string;
};

/** Opens the console of a service; nobody is signed in. */
export function consoleVisitor(service: TestService): ConsoleVisitor {
  const origin = service.service.opsUrl ?? '';
  let cookie = '';
  let formToken = '';
  const ask = async (path: string, init: RequestInit): Promise<ConsolePage> => {
    const answer = await fetch(origin + path, { ...init, redirect: 'manual' });
    const [set] = answer.headers.getSetCookie();
    if (set !== undefined) cookie = set.split(';')[0] ?? '';
    const text = await answer.text();
    formToken = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? formToken;
    return { status: answer.status, location: answer.headers.get('location'), headers: answer.headers, text };
  };
  return {
    get: (path, headers = {}) => ask(path, { headers: { cookie, ...headers } }),
    send: (path, fields, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ form_token: formToken, ...fields }).toString(),
      }),
    cookie: () => cookie,
  };
}
