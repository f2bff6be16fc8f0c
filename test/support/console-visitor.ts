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
  /** Signs in with a token and opens the first page, whose form token the next form carries. */
  readonly signIn: (token: string) => Promise<ConsolePage>;
  readonly cookie: () => string;
};

/** The cells of all tables of a page, one row each, without their markup; rows of headings are left out. */
export const cells = (page: string): readonly (readonly string[])[] =>
  [...page.matchAll(/<tr>([^]*?)<\/tr>/g)]
    .map(([, row = '']) =>
      [...row.matchAll(/<td[^>]*>([^]*?)<\/td>/g)].map(([, cell = '']) =>
        cell.replace(/<[^>]*>/g, '').trim(),
      ),
    )
    .filter((row) => row.length > 0);

/** The hidden fields of the form of an action. */
export const hiddenFields = (page: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [
        name,
        value
          .replaceAll('&quot;', '"')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&amp;', '&'),
      ],
    ),
  );

type Listening = { readonly service: Pick<TestService['service'], 'opsUrl'> };

/** Opens the console of a service, signed out. */
export function consoleVisitor({ service: { opsUrl } }: Listening): ConsoleVisitor {
  const origin = opsUrl ?? '';
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
  const get: ConsoleVisitor['get'] = (path, headers = {}) => ask(path, { headers: { cookie, ...headers } });
  const send: ConsoleVisitor['send'] = (path, fields, headers = {}) =>
    ask(path, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ form_token: formToken, ...fields }).toString(),
    });
  return {
    get,
    send,
    async signIn(token) {
      const done = await send('/console/sign-in', { token });
      await get('/console');
      return done;
    },
    cookie: () => cookie,
  };
}

/** The names and values of a list of facts; of a name that stands twice, the first. */
export const factsOf = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...html.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>([^]*?)<\/dd>/g)]
      .map(([, name = '', value = '']) => [name, value.replace(/<[^>]*>/g, '').trim()] as const)
      .toReversed(),
  );

/** A browser in which the holder of this token has signed in. */
export async function signedIn(service: Listening, token: string): Promise<ConsoleVisitor> {
  const visitor = consoleVisitor(service);
  const done = await visitor.signIn(token);
  if (done.status !== 303 || done.location !== '/console') throw new Error(`not signed in: ${done.text}`);
  return visitor;
}

/** The sign-in form that leads to this address; the first page and the end of a session need no address. */
export const signInFor = (address: string): string =>
  ['/console', '/console/sign-out'].includes(address)
    ? '/console/sign-in'
    : `/console/sign-in?${new URLSearchParams({ to: address }).toString()}`;

/** The address of the form of an action, with these fields. */
export const actionPath = (command: string, fields: Readonly<Record<string, string | number>>): string => {
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)] as const);
  return `/console/actions/${command}?${new URLSearchParams(Object.fromEntries(texts)).toString()}`;
};

/** Sends the form of a page to an action, as the page shows it. */
export const sentForm = (
  visitor: ConsoleVisitor,
  command: string,
  { text }: Pick<ConsolePage, 'text'>,
): Promise<ConsolePage> => visitor.send(`/console/actions/${command}`, hiddenFields(text));

/** Opens the form of an action at its address, and sends the form as it is shown. */
export const sentAsShown = async (visitor: ConsoleVisitor, path: string): Promise<ConsolePage> =>
  visitor.send(path.split('?')[0] ?? '', hiddenFields((await visitor.get(path)).text));

/** The page has this status and contains these texts. */
export function expectPage(
  { status, text }: Pick<ConsolePage, 'status' | 'text'>,
  wanted: number,
  ...texts: readonly string[]
): void {
  expect(status).toBe(wanted);
  for (const each of texts) expect(text).toContain(each);
}
