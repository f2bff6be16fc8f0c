import { html, type Html } from '#http/page.js';
import { problemOf, type Problem } from '#http/problem.js';
import { reply, type Reply } from '#http/reply.js';
import type { TextAnswer } from '#http/text-answer.js';
import { CONSOLE_SECURITY, consolePage, workspaceNav } from './layout.js';
import { refusedQuery } from './refused-query.js';
import type { Session } from './sessions.js';

/** A page; `status` if it is not 200. */
export type Shown = {
  readonly title: string;
  readonly body: Html;
  readonly status?: 200 | 404 | 409 | 422;
  /** The refusal that the page shows, for the log of the service. */
  readonly refusal?: unknown;
  /** A browser without scripts reloads the page after this many seconds. */
  readonly refreshSeconds?: number;
};

/** A redirect, with a message that is shown once. */
export type DoneElsewhere = { readonly to: string; readonly text?: string };

/** The result of a request: a redirect or a page. */
export type Done = DoneElsewhere | Shown;

export type PageReply = Reply<string>;

export const SIGN_IN = '/console/sign-in';

/** Statuses with a page of their own; every other refusal that a caller causes is 422. */
const STATUSES: ReadonlySet<number> = new Set([403, 404, 409]);

/** The page as the answer; `said` reports the action just completed. */
export const pageReply = (
  { title, body, status = 200, refreshSeconds }: Shown,
  session: Session,
  said: string | null,
): PageReply =>
  reply(consolePage(title, body, session, { said, refreshSeconds }), { status, headers: CONSOLE_SECURITY });

/**
 * A page with the reason of a refusal, and with the fields of the refused address; `address` is null if a form was
 * sent, and `stopped` is what `Visit.stopped` returns. Rethrows errors that no caller causes.
 */
export function refused(
  error: unknown,
  session: Session,
  address: string | null,
  stopped: readonly string[] = [],
): PageReply {
  const problem = problemOf(error);
  const { status } = problem;
  const [, workspaceId] = /^\/console\/workspaces\/(\d+)\//.exec(address ?? '') ?? [];
  const body = html`${workspaceId === undefined || status !== 422 ? '' : workspaceNav(session, Number(workspaceId), '')}
    ${stoppedPart(stopped)} ${faultPart(error)} ${address === null ? '' : refusedQuery(address, problem)}
    <p><a href="/console">All workspaces</a></p>`;
  const answerStatus = STATUSES.has(status) ? status : 422;
  return reply(consolePage('Not done', body, session), { status: answerStatus, headers: CONSOLE_SECURITY });
}

/** The page of a problem without a session: what the service cannot answer at the moment, or fails at. */
export const problemPage = ({ detail }: Problem): PageReply =>
  reply(
    consolePage(
      'Not done',
      html`<p class="notice fault" role="alert">${detail}</p>
        <p><a href="/console">All workspaces</a></p>`,
      null,
    ),
    { headers: CONSOLE_SECURITY },
  );

/** What may be missing on a page because read models are stopped; nothing if there is none. */
export const stoppedPart = (notes: readonly string[]): Html =>
  html`${notes.map((note) => html`<p class="notice fault" role="alert">${note}</p>`)}`;

/** A page with the reason why a link was not opened; its address contains the token, so that no referrer is sent. */
export const notOpened = (error: unknown): PageReply =>
  reply(consolePage('Not opened', faultPart(error), null), {
    status: 404,
    headers: { ...CONSOLE_SECURITY, 'referrer-policy': 'no-referrer' },
  });

/** The answer to HEAD of any link: a program that checks it does not open it, and learns nothing about its token. */
export const unopened = (): PageReply =>
  reply('', { headers: { ...CONSOLE_SECURITY, 'referrer-policy': 'no-referrer' } });

/** Redirects the browser. */
export const elsewhere = (path: string, headers: { readonly [name: string]: string } = {}): PageReply =>
  reply('', { status: 303, headers: { ...CONSOLE_SECURITY, ...headers, location: path } });

/** A text as a download. */
export const asFile = ({ data, headers }: TextAnswer, name: string): TextAnswer =>
  reply(data, {
    headers: {
      ...headers,
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
    },
  });

/** The sign-in page, which leads to `to`; `fault` is the reason why the last attempt failed. */
export function signInPage(fault: string | null, to: string | null): PageReply {
  const body = html`${fault === null ? '' : html`<p class="notice fault" role="alert">${fault}</p>`}
    <form class="filter" method="post" action="${SIGN_IN}">
      <input name="username" autocomplete="username" value="console" hidden />
      ${to === null ? '' : html`<input type="hidden" name="to" value="${to}" />`}
      <label
        >Token of an operator
        <input name="token" type="password" autocomplete="current-password" required autofocus />
      </label>
      <button class="primary">Sign in</button>
    </form>
    <p>
      <code>operator add</code> prints a token once; <code>OPS_TOKEN</code> is the token of the first
      operator.
    </p>`;
  return reply(consolePage('Sign in', body, null), {
    ...(fault !== null && { status: 403 }),
    headers: CONSOLE_SECURITY,
  });
}

/**
 * The reason of a refusal, with the faults of each field under its label, or its name if it has none; rethrows errors
 * that no caller causes.
 */
export function faultPart(error: unknown, labels: ReadonlyMap<string, string> = new Map()): Html {
  const { status, detail, errors } = problemOf(error);
  if (status >= 500) throw error;
  const fields = [...(errors ?? new Map<string, readonly string[]>())].map(
    ([field, messages]) => html`<li>${labels.get(field) ?? field}: ${messages.join('; ')}</li>`,
  );
  return html`<div class="notice fault" role="alert">
    <p>${detail ?? 'This was refused.'}</p>
    ${
      fields.length === 0
        ? ''
        : html`<ul>
            ${fields}
          </ul>`
    }
  </div>`;
}

/** The answer to a form that was not submitted by a page of the session. */
export const foreign = (session: Session | null): PageReply =>
  reply(
    consolePage(
      'Not done',
      html`<p class="notice fault">
          This form does not come from a page of this session. Nothing was changed.
        </p>
        <p><a href="/console">All workspaces</a></p>`,
      session,
    ),
    { status: 403, headers: CONSOLE_SECURITY },
  );
