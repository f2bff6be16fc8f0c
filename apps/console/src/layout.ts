import { createHash } from 'node:crypto';
import { html, type Html } from '#http/page.js';
import { numberOf, type AnswerPart } from './answer.js';
import { actionLink } from './actions/action.js';
import { servicePagesFor, workspacePagesFor } from './navigation.js';
import { maskedToken, type Session } from './sessions.js';
import { STYLE, STYLE_ELEMENT } from './style.js';

/**
 * Only scripts, styles and form targets of this service. Browsers send the origin of a form only if the referrer
 * policy allows it.
 */
export const CONSOLE_SECURITY = {
  'content-security-policy':
    `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    "img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
};

/**
 * A page of the console. `session` is null before sign-in; `said` reports the action just completed; a browser
 * without scripts reloads the page after `refreshSeconds`.
 */
export function consolePage(
  title: string,
  body: Html,
  session: Session | null,
  {
    said = null,
    refreshSeconds,
  }: { readonly said?: string | null; readonly refreshSeconds?: number | undefined } = {},
): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} - console</title>
        <link rel="icon" href="data:," />
        ${refreshSeconds === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>`}
        ${STYLE_ELEMENT}
      </head>
      <body>
        ${session === null ? html`` : html`<a class="skip" href="#content">To the content</a> ${head(session, title)}`}
        <main id="content" tabindex="-1">
          <h1>${title}</h1>
          ${said === null ? '' : html`<p class="notice" role="status">${said}</p>`} ${body}
        </main>
      </body>
    </html>`.text;
}

/** `title` is that of the page: the navigation entry with the same name is marked as current. */
function head({ operator, formToken, link }: Session, title: string): Html {
  if (link !== undefined) {
    return html`<header>
      <span
        >Read-only link: <bdi>${link.label}</bdi>, until ${link.expiresAt.slice(0, 16).replace('T', ' ')}
        UTC</span
      >
    </header>`;
  }
  return html`<header>
    <nav aria-label="Console">
      ${servicePagesFor(operator.role).map(({ path, name }) => linkOf(path, name, name === title))}
    </nav>
    <form role="search" method="get" action="/console/search">
      <input
        name="q"
        type="search"
        aria-label="Workspace, movement, key, company or run"
        placeholder="Search"
      />
    </form>
    <form method="post" action="/console/sign-out">
      ${formTokenField(formToken)} ${operator.name} (${operator.role}) <button>Sign out</button>
    </form>
  </header>`;
}

/** The field that every changing form contains. */
export const formTokenField = (formToken: string): Html =>
  html`<input type="hidden" name="form_token" value="${maskedToken(formToken)}" />`;

/** The pages of one workspace that this operator may see, the current one marked. */
export function workspaceNav({ operator, link }: Session, workspaceId: number, current: string): Html {
  return html`<nav aria-label="Workspace">
    ${workspacePagesFor(link === undefined ? operator.role : 'link', workspaceId).map(({ path, name }) =>
      linkOf(path, name, path.endsWith(`/${current}`)),
    )}
  </nav>`;
}

/** A link of a navigation. */
const linkOf = (path: string, name: string, isPresent: boolean): Html =>
  isPresent ? html`<a href="${path}" aria-current="page">${name}</a>` : html`<a href="${path}">${name}</a>`;

/** The name of a column; `{ number: 'Credits' }` for a column of numbers. */
export type Column = string | { readonly number: string };

/** A table with a cell for each column. `rows` is its content; if it is empty, `none` is shown. */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly (Html | string)[])[],
  none: string,
): Html {
  if (rows.length === 0) return html`<p>${none}</p>`;
  const names = columns.map((column) => (typeof column === 'string' ? column : column.number));
  const classes = columns.map((column) => (typeof column === 'string' ? html`` : html` class="number"`));
  const classOf = (index: number): Html => classes[index] ?? html``;
  return html`<div class="table" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${names.map((name, index) => html`<th scope="col" ${classOf(index)}>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, index) => html`<td${classOf(index)}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export type FigureRow = readonly [name: string, value: Html | string, note?: Html | string];

/** The key figures of a page, side by side. */
export const figuresPart = (all: readonly FigureRow[]): Html =>
  html`<div class="figures">
    ${all.map(([name, value, note = '']) => html`<div><span>${name}</span><strong>${value}</strong><small>${note}</small></div>`)}
  </div>`;

/** Links to actions that the role of the operator allows. */
export const actionLinks = (
  may: (command: string) => boolean,
  links: readonly (readonly [command: string, given: Parameters<typeof actionLink>[1], name: string])[],
): Html => {
  const allowed = links.filter(([command]) => may(command));
  if (allowed.length === 0) return html``;
  return html`<p class="buttons">
    ${allowed.map(([command, given, name]) => html`<a class="button" href="${actionLink(command, given)}">${name}</a>`)}
  </p>`;
};

/**
 * Links to the previous and next page of a list. `link` is its address up to the page number; `name` is the parameter
 * with that number, `of` the list in the name of the navigation.
 */
export function pageLinks(numbers: AnswerPart, link: string, name = 'page', of = 'the list'): Html {
  const page = numberOf(numbers, 'page');
  const count = Math.max(numberOf(numbers, 'page_count'), 1);
  if (count <= 1 && page <= 1) return html``;
  return html`<nav aria-label="Pages of ${of}">
    ${page > 1 ? html`<a rel="prev" href="${link}${name}=${Math.min(page - 1, count)}">Previous page</a>` : ''}
    <span>Page ${page} of ${count}</span>
    ${page < count ? html`<a rel="next" href="${link}${name}=${page + 1}">Next page</a>` : ''}
  </nav>`;
}

/** Names with their values, in rows. */
export const facts = (pairs: readonly (readonly [name: string, value: Html | string])[]): Html =>
  html`<dl>
    ${pairs.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
