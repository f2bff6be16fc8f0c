import { createHash } from 'node:crypto';
import { Html, html } from '#http/page.js';
import { numberOf, type AnswerPart } from './answer.js';
import { actionLink } from './actions/action.js';
import { servicePagesFor, workspacePagesFor } from './navigation.js';
import { maskedToken, type Session } from './sessions.js';

const STYLE = `
:root { color-scheme: light dark; --line: #8885; --soft: #8882; --paper: #fff; --text: #1c1c1e; --tint: #087a4c1a; --accent: #087a4c; --warn: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --paper: #131416; --text: #ececec; --tint: #4fd1a022; --accent: #4fd1a0; --warn: #ff8a80; } }
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--text); }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 0 1rem 3rem; }
header { align-items: center; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; padding: .75rem 0; }
header form { margin: 0; }
header form[role=search] { margin-left: auto; }
h1 { font-size: 1.5rem; margin: 1.25rem 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav [aria-current] { color: inherit; font-weight: 700; text-decoration: none; }
form.filter { align-items: end; display: flex; flex-wrap: wrap; gap: .75rem; margin: .75rem 0; }
label { display: grid; font-size: .85rem; gap: .2rem; grid-template-columns: minmax(0, 1fr); max-width: 100%; min-width: 0; }
form.action { display: grid; gap: .75rem; margin: 1rem 0; max-width: 34rem; }
.buttons { align-items: center; display: flex; flex-wrap: wrap; gap: 1rem; margin: 0; }
.affects { font-size: 1.15rem; font-weight: 600; }
small { font-weight: 400; opacity: .75; }
input, select, button, textarea, a.button { background: var(--paper); border: 1px solid var(--line); border-radius: 6px; color: var(--text); font: inherit; max-width: 100%; padding: .45rem .65rem; }
button { cursor: pointer; }
button.primary, a.primary { background: var(--accent); border-color: var(--accent); color: var(--paper); }
button.danger { background: var(--warn); border-color: var(--warn); }
a.button { display: inline-block; text-decoration: none; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
caption { font-size: .85rem; padding: .25rem 0; text-align: left; }
th, td { border-top: 1px solid var(--line); padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; }
th.number, td.number { text-align: right; white-space: nowrap; }
dl { display: grid; gap: .25rem 1rem; grid-template-columns: max-content minmax(0, 1fr); margin: .5rem 0; }
dt { opacity: .75; }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
.figures { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr)); margin: 1rem 0; }
.figures div { border: 1px solid var(--line); border-radius: 8px; display: grid; padding: .6rem .8rem; }
.figures span, .figures small { font-size: .85rem; opacity: .8; }
.figures strong { font-size: 1.35rem; font-variant-numeric: tabular-nums; font-weight: 600; overflow-wrap: anywhere; }
.badge { border: 1px solid var(--line); border-radius: 999px; display: inline-block; font-size: .85rem; font-weight: 400; padding: 0 .55rem; white-space: nowrap; }
.badge.bad { border-color: var(--warn); color: var(--warn); }
figure { margin: .5rem 0; }
figcaption { font-size: .9rem; margin: .25rem 0 .5rem; opacity: .85; }
summary { cursor: pointer; }
svg.chart { display: block; height: auto; width: 100%; }
svg text { fill: var(--text); font: 12px system-ui, sans-serif; font-variant-numeric: tabular-nums; opacity: .8; }
svg .grid { stroke: var(--line); }
svg .line { fill: none; stroke: var(--accent); stroke-width: 2; }
svg .coming { stroke-dasharray: 6 5; }
svg .area { fill: var(--tint); }
svg .today { fill: var(--accent); }
svg .mark { stroke: var(--warn); stroke-width: 1.5; }
svg .mark.due { stroke: var(--text); stroke-dasharray: 2 3; }
svg.spark { display: block; }
svg.spark path { fill: var(--accent); }
.amount { font-variant-numeric: tabular-nums; }
.notice { border-left: 4px solid var(--accent); margin: 1rem 0; padding: .25rem .75rem; }
.fault { border-color: var(--warn); }
.badge.good { border-color: var(--accent); color: var(--accent); }
.figures .badge { opacity: 1; }
.pager { margin: 1rem 0; }
.excerpt { display: block; max-width: 26rem; min-width: 12rem; overflow-wrap: anywhere; }
blockquote { border-left: 4px solid var(--line); margin: .5rem 0; overflow-wrap: anywhere; padding: .25rem .9rem; white-space: pre-line; }
mark { background: #ffe58a; border-radius: 3px; color: #111; padding: 0 .1em; }
pre { background: var(--soft); border-radius: 6px; font: 13px/1.45 ui-monospace, monospace; max-height: 26rem; overflow: auto; padding: .75rem; }
.why { display: block; }
progress { accent-color: var(--accent); height: 1.25rem; width: min(30rem, 100%); }
time { white-space: nowrap; }
@media print { header, form, nav, .no-print, .buttons, details { display: none; } a { color: inherit; text-decoration: none; } body { max-width: none; } }
`;

// whole, so that no formatter of templates comes between the text and its hash
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/**
 * Scripts and styles of this service alone, nothing from elsewhere, and forms to this service alone. Browsers name the origin
 * of a form only where the referrer may be known.
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
 * A page of the console. `session` is null before the operator signs in; `said` is what was done just before;
 * a browser without scripts asks for the page again after `refreshSeconds`.
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
        ${session === null ? html`` : head(session)}
        <main>
          <h1>${title}</h1>
          ${said === null ? '' : html`<p class="notice" role="status">${said}</p>`} ${body}
        </main>
      </body>
    </html>`.text;
}

function head({ operator, formToken, link }: Session): Html {
  if (link !== undefined) {
    return html`<header>
      <span>Read-only link: ${link.label}, until ${link.expiresAt.slice(0, 16).replace('T', ' ')} UTC</span>
    </header>`;
  }
  return html`<header>
    <nav aria-label="Console">
      ${servicePagesFor(operator.role).map(({ path, name }) => html`<a href="${path}">${name}</a>`)}
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

/** What every form carries that changes something. */
export const formTokenField = (formToken: string): Html =>
  html`<input type="hidden" name="form_token" value="${maskedToken(formToken)}" />`;

/** The pages of one workspace that this operator may see, the present one marked. */
export function workspaceNav({ operator, link }: Session, workspaceId: number, current: string): Html {
  return html`<nav aria-label="Workspace">
    ${workspacePagesFor(link === undefined ? operator.role : 'link', workspaceId).map(({ path, name }) =>
      path.endsWith(`/${current}`)
        ? html`<a href="${path}" aria-current="page">${name}</a>`
        : html`<a href="${path}">${name}</a>`,
    )}
  </nav>`;
}

export type Column = { readonly name: string; readonly isNumber?: true };

/** A table with a cell for each column. `rows` is what stands in it; where there is none, `none` says so. */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly (Html | string)[])[],
  none: string,
): Html {
  if (rows.length === 0) return html`<p>${none}</p>`;
  const classOf = (index: number): string => (columns[index]?.isNumber === true ? 'number' : '');
  return html`<div class="table" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ name }, index) => html`<th scope="col" class="${classOf(index)}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, index) => html`<td class="${classOf(index)}">${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export type FigureRow = readonly [name: string, value: Html | string, note?: Html | string];

/** The numbers that a page is about, side by side. */
export const figuresPart = (all: readonly FigureRow[]): Html =>
  html`<div class="figures">
    ${all.map(([name, value, note = '']) => html`<div><span>${name}</span><strong>${value}</strong><small>${note}</small></div>`)}
  </div>`;

/** Links to actions, those that the role of the operator allows. */
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

/** Links to the pages before and behind this one of a list. `link` is its address up to the number of the page. */
export function pageLinks(numbers: AnswerPart, link: string): Html {
  const page = numberOf(numbers, 'page');
  const count = numberOf(numbers, 'page_count');
  if (count <= 1 && page <= 1) return html``;
  return html`<nav aria-label="Pages of the list">
    ${page > 1 ? html`<a rel="prev" href="${link}page=${page - 1}">Previous page</a>` : ''}
    <span>Page ${page} of ${Math.max(count, 1)}</span>
    ${page < count ? html`<a rel="next" href="${link}page=${page + 1}">Next page</a>` : ''}
  </nav>`;
}

/** Names with what they are, one under the other. */
export const facts = (pairs: readonly (readonly [name: string, value: Html | string])[]): Html =>
  html`<dl>
    ${pairs.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
