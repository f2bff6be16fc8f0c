import { sha256Hex } from '#kernel/values/hash.js';
import { FIRST_OPERATOR, type OperatorDirectory } from '#kernel/values/operators.js';
import type { LinkAccess, LinkDirectory } from '#kernel/values/console-links.js';
import type { Authentication } from '#http/callers.js';
import type { BrowserHeaders } from '#http/endpoint.js';
import type { Logger } from '#http/log.js';
import { formField, idParam, idQuery, integerQuery } from '#http/parameters.js';
import { problemOf, RequestRefused } from '#http/problem.js';
import { html } from '#http/page.js';
import { textAnswer, type TextAnswer } from '#http/text-answer.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { runExport } from '#ops/support/run-command.js';
import { exportCommands } from '#runtime/operator-commands.js';
import { cookieHeader, cookieIn, LINK_COOKIE, linkSecretIn } from './cookies.js';
import {
  asFile,
  elsewhere,
  foreign,
  notOpened,
  pageReply,
  refused,
  SIGN_IN,
  signInPage,
  stoppedPart,
  unopened,
  type Done,
  type PageReply,
  type Shown,
} from './page-answers.js';
import { returnAddress, signInFor } from './return-address.js';
import { createVisits, requireOfLink, type Visit } from './visits.js';
import { createSessions, provesToken, type Session, type Sessions } from './sessions.js';

export const CONSOLE = Symbol('Console');

/** The path of a page about a workspace. */
export const WORKSPACE_PATH = { workspace_id: idParam(404) };

/** An id as a field of a form sends it; null when absent or empty. */
export const ID_FIELD = formField(idQuery(422));

/** The number of the page of a list. */
export const PAGE_NUMBER = integerQuery({ minimum: 1, maximum: 1_000_000, otherwise: 1, invalid: 422 });

/** The parts of a browser request that the console uses. */
export type Asked = { readonly browser: BrowserHeaders; readonly requestId: string };

export type Desk = ReturnType<typeof createDesk>;

const MOST_FORM_BYTES = 64 * 1024;

/** Without `Retry-After`: nothing changes before an operator acts. */
const incompleteFile = (notes: readonly string[]): RequestRefused =>
  new RequestRefused({ status: 503, detail: `The file would not be complete. ${notes.join(' ')}` });

/** Sessions, forms and pages of the console. `authenticate` authenticates an operator by `Bearer <token>`. */
export function createDesk({
  host,
  authenticate,
  directory,
  links,
  logger,
}: {
  readonly host: OperatorHost;
  readonly authenticate: Authentication['authenticate'];
  readonly directory: OperatorDirectory;
  readonly links: LinkDirectory;
  readonly logger: Logger;
}) {
  const sessions = createSessions(() => performance.now());
  const { visitOf, progressOf, end } = createVisits(host);

  const sessionOf = sessionFinder(sessions, links, directory);
  const { noteRefusal, noteExport } = notes(logger);

  const signedIn = signedInOf(sessionOf, noteRefusal);

  return {
    now: () => host.clock.now(),

    endStreams: end,

    /** A page for a signed-in operator; others are redirected to the sign-in page. */
    page: (asked: Asked, show: (visit: Visit) => Promise<Done>): Promise<PageReply> =>
      signedIn(asked, pageAt(asked), async (session) => {
        const visit = visitOf(session, asked.requestId);
        const page = await show(visit).catch(refusedIfStopped(visit, asked, noteRefusal));
        if ('headers' in page) return page;
        if (!('body' in page)) return elsewhere(page.to);
        if (page.refusal !== undefined) noteRefusal(page.refusal, session, asked.requestId);
        const said = sessions.takeMessage(cookieIn(asked.browser.cookie) ?? '');
        return pageReply(await withStopped(page, visit), session, said);
      }),

    /** The progress of long work as server-sent events, until it ends or the process stops. */
    follow: (asked: Asked, id: number): Promise<PageReply | TextAnswer> =>
      signedIn(asked, fileAt(asked), async (session) =>
        textAnswer('text/event-stream', progressOf(session, id)),
      ),

    /** An export as a file for a signed-in operator. */
    file: (asked: Asked, command: string, input: object, name: string): Promise<PageReply | TextAnswer> =>
      signedIn(asked, fileAt(asked), async (session) => {
        const found = exportCommands.find((each) => each.name === command);
        if (found === undefined) throw new Error(`there is no export ${command}`);
        requireOfLink(session, command, input);
        const { contentType, text } = runExport(host, found, input, session.operator);
        const file = textAnswer(contentType, await text);
        noteExport(session, asked.requestId, command, name);
        return asFile(file, name);
      }),

    /** A list of a page as a file for a signed-in operator; refused with 503 if it reads stopped read models. */
    list: (
      asked: Asked,
      name: string,
      make: (visit: Visit) => Promise<{ readonly contentType: string; readonly text: string }>,
    ): Promise<PageReply | TextAnswer> =>
      signedIn(asked, fileAt(asked), async (session) => {
        const visit = visitOf(session, asked.requestId);
        const { contentType, text } = await make(visit);
        const notes = await visit.stopped();
        if (notes.length > 0) throw incompleteFile(notes);
        noteExport(session, asked.requestId, 'list', name);
        return asFile(textAnswer(contentType, [text]), name);
      }),

    /** Exchanges the token of a read-only link for a session; no later address contains the token (CON-02). */
    async openLink(asked: Asked, token: string): Promise<PageReply> {
      if (asked.browser.isHead) return unopened();
      try {
        const { secret, access } = await links.open(token, asked.requestId);
        const seconds = Math.floor((Date.parse(access.expiresAt) - host.clock.now().getTime()) / 1_000);
        const cookie = cookieHeader(
          `${LINK_COOKIE}${secret}`,
          asked.browser,
          `; Max-Age=${Math.max(seconds, 1)}`,
        );
        return elsewhere(`/console/workspaces/${access.workspaceId}/ledger`, { 'set-cookie': cookie });
      } catch (error) {
        return notOpened(error);
      }
    },

    /**
     * Executes a form of a signed-in operator and redirects to the page that `act` returns. Without a session nothing
     * is executed, and the sign-in page leads to the page that `pageOf` names for the form.
     */
    async action(
      asked: Asked,
      body: AsyncIterable<Uint8Array>,
      pageOf: (form: URLSearchParams) => string,
      act: (visit: Visit, form: URLSearchParams) => Promise<Done>,
    ): Promise<PageReply> {
      const form = await formIn(body);
      return signedIn(asked, { page: pageOf(form), fields: null }, async (session) => {
        if (
          session.link !== undefined ||
          !isOwnOrigin(asked.browser) ||
          !provesToken(form.get('form_token'), session.formToken)
        ) {
          logger.warn(
            { requestId: asked.requestId, operator: session.operator.name, status: 403 },
            'refused',
          );
          return foreign(session);
        }
        const done = await act(visitOf(session, asked.requestId), form);
        if ('body' in done) {
          if (done.refusal !== undefined) noteRefusal(done.refusal, session, asked.requestId);
          return pageReply(done, session, null);
        }
        if (done.text !== undefined) sessions.leaveMessage(cookieIn(asked.browser.cookie) ?? '', done.text);
        return elsewhere(done.to);
      });
    },

    async signIn(asked: Asked, body: AsyncIterable<Uint8Array>): Promise<PageReply> {
      const form = await formIn(body);
      const token = form.get('token')?.trim() ?? '';
      const to = returnAddress(form.get('to') ?? '');
      if (!isOwnOrigin(asked.browser)) return foreign(null);
      const caller = await authenticate(`Bearer ${token}`);
      if (caller?.kind !== 'operator') {
        return signInPage('This is not the token of an operator.', to);
      }
      const isFirst = caller.operator.name === FIRST_OPERATOR.name;
      const cookie = sessions.open(caller.operator, isFirst ? null : sha256Hex(token));
      return elsewhere(to ?? '/console', { 'set-cookie': cookieHeader(cookie, asked.browser) });
    },

    signInPage: (to: string | null): PageReply => signInPage(null, returnAddress(to ?? '')),

    async signOut(asked: Asked, body: AsyncIterable<Uint8Array>): Promise<PageReply> {
      const done = await this.action(
        asked,
        body,
        () => '',
        async () => ({ to: SIGN_IN }),
      );
      if (done.status !== 303) return done;
      const cookie = cookieIn(asked.browser.cookie);
      if (cookie !== null) sessions.close(cookie);
      return elsewhere(SIGN_IN, { 'set-cookie': cookieHeader('', asked.browser, '; Max-Age=0') });
    },
  };
}

type NoteRefusal = (error: unknown, session: Session, requestId: string) => void;

/**
 * The answer for a signed-in operator, or the refusal, with the fields of `fields`. Others are redirected to the
 * sign-in page, which leads to `page`. Null: an address without fields, and the first page.
 */
const signedInOf =
  (sessionOf: ReturnType<typeof sessionFinder>, noteRefusal: NoteRefusal) =>
  async <Answered>(
    asked: Asked,
    { page, fields }: { readonly page: string | null; readonly fields: string | null },
    answer: (session: Session) => Promise<Answered>,
  ): Promise<Answered | PageReply> => {
    const session = await sessionOf(asked);
    if (session === null) return elsewhere(page === null ? SIGN_IN : signInFor(page));
    try {
      return await answer(session);
    } catch (error) {
      noteRefusal(error, session, asked.requestId);
      return refused(error, session, fields);
    }
  };

const withStopped = async (page: Shown, { stopped }: Visit): Promise<Shown> => ({
  ...page,
  body: html`${stoppedPart(await stopped())} ${page.body}`,
});

/** A refusal of a page that read stopped read models names them: what it does not find may be there. */
const refusedIfStopped =
  ({ session, stopped }: Visit, { browser, requestId }: Asked, note: NoteRefusal) =>
  async (error: unknown): Promise<PageReply> => {
    // An unavailable store is reported by the error itself.
    const notes = problemOf(error).status >= 500 ? [] : await stopped();
    if (notes.length === 0) throw error;
    note(error, session, requestId);
    return refused(error, session, browser.address, notes);
  };

const pageAt = ({ browser: { address } }: Asked) => ({ page: address, fields: address });

/** A file is no page: after the sign-in its download would leave the browser at the form. */
const fileAt = ({ browser: { address } }: Asked) => ({ page: null, fields: address });

/**
 * The session of an opened link has the rights of finance, limited to one workspace. It submits no forms, so it has
 * no form token.
 */
function linkSession(access: LinkAccess | null): Session | null {
  if (access === null) return null;
  const operator = { name: `link ${access.linkId}`, role: 'finance' } as const;
  return { operator, tokenHash: null, formToken: '', link: access };
}

/** Whether a page of the same host submitted the form. Browsers always send this for forms. */
function isOwnOrigin({ origin, host }: BrowserHeaders): boolean {
  if (origin === null || !URL.canParse(origin)) return false;
  return new URL(origin).host === host;
}

/** The fields of a form; none if it is too long. */
async function formIn(body: AsyncIterable<Uint8Array>): Promise<URLSearchParams> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes <= MOST_FORM_BYTES) chunks.push(chunk);
  }
  return new URLSearchParams(bytes > MOST_FORM_BYTES ? '' : Buffer.concat(chunks).toString('utf8'));
}

/** The signed-in operator; a revoked operator is signed out. */
const sessionFinder =
  (sessions: Sessions, links: LinkDirectory, directory: OperatorDirectory) =>
  async ({ browser }: Asked): Promise<Session | null> => {
    const cookie = cookieIn(browser.cookie);
    if (cookie === null) return null;
    const opened = linkSecretIn(cookie);
    if (opened !== null) return linkSession(await links.find(opened));
    const session = sessions.find(cookie);
    if (session === null) return null;
    if (session.tokenHash === null) return session;
    const known = await directory.find(session.operator.name, session.tokenHash);
    if (known !== null) return { ...session, operator: known };
    sessions.close(cookie);
    return null;
  };

/** Log lines for actions without an event: refusals, and downloads of files (CON-03). */
const notes = (logger: Logger) => ({
  noteRefusal(error: unknown, { operator }: Session, requestId: string): void {
    const { status, detail } = problemOf(error);
    if (status < 500) logger.warn({ requestId, operator: operator.name, status, reason: detail }, 'refused');
  },
  noteExport({ operator }: Session, requestId: string, command: string, file: string): void {
    logger.info({ requestId, operator: operator.name, command, file }, 'export');
  },
});
