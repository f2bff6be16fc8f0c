import { html, type Html } from '#http/page.js';
import { partOf, rowsOf, shown, type AnswerPart } from './answer.js';
import { pageLinks } from './layout.js';

/** An address with its query: members that are null or empty are left out. */
export function address(
  path: string,
  asked: { readonly [name: string]: string | number | null | undefined },
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** A time to the second, in UTC, with the full timestamp as a tooltip. `-` for none. */
export function moment(answer: AnswerPart, name: string): Html | string {
  const value = answer[name];
  if (typeof value !== 'string') return '-';
  const short = value.slice(0, 19).replace('T', ' ');
  return html`<time datetime="${value}" title="${value}">${short}</time>`;
}

/** A time as `moment` shows it, with its zone: for a place without a heading that names it. `-` for none. */
export function atUtc(answer: AnswerPart, name: string): Html | string {
  const shownMoment = moment(answer, name);
  return typeof shownMoment === 'string' ? shownMoment : html`${shownMoment} UTC`;
}

/** A name with a text after it: the direction of its letters does not change that of the text. */
export const named = (name: string): Html => html`<bdi>${name}</bdi>`;

/** A value as a link; plain text if there is no value. */
export const linkTo = (path: string, text: string): Html | string =>
  text === '-' ? text : html`<a href="${path}">${text}</a>`;

export const movementLink = (workspaceId: number, movementId: string): Html | string =>
  linkTo(`/console/workspaces/${workspaceId}/movements/${movementId}`, movementId);

export const runLink = (workspaceId: number, runId: string): Html | string =>
  linkTo(`/console/workspaces/${workspaceId}/runs/${runId}`, runId);

/** The events of a stream, beginning with its newest. */
export const streamLink = (stream: string): Html | string =>
  linkTo(address('/console/log/stream', { stream }), stream);

/** The previous and next page of a numbered list at `path`, with the rest of the query. */
export function pager(
  answer: unknown,
  path: string,
  asked: { readonly [name: string]: string | number | null },
): Html {
  const here = address(path, asked);
  return pageLinks(partOf(answer), `${here}${here.includes('?') ? '&' : '?'}`);
}

/** The link to the next part of a list; `next` is its beginning, null at the end. */
export const further = (next: string | null, words: string): Html =>
  next === null
    ? html``
    : html`<nav class="pager" aria-label="Pages"><a rel="next" href="${next}">${words}</a></nav>`;

/** A text in which keywords are marked. */
export const marked = (answer: unknown, name: string): Html =>
  html`${rowsOf(answer, name).map((part) =>
    part['match'] === true ? html`<mark>${shown(part, 'text')}</mark>` : html`${shown(part, 'text')}`,
  )}`;

/** A word with its own colour: `good`, `bad` or `plain`. */
export const badge = (kind: 'good' | 'bad' | 'plain', text: string): Html =>
  html`<span class="badge ${kind}">${text}</span>`;

/** A select field of a filter form. */
export const choice = (
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string | null,
): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${options.map(([value, text]) =>
        value === (chosen ?? '')
          ? html`<option value="${value}" selected>${text}</option>`
          : html`<option value="${value}">${text}</option>`,
      )}
    </select></label
  >`;

/** A field that a form sends on; nothing if it is empty. */
export const hiddenField = (name: string, value: string): Html =>
  value === '' ? html`` : html`<input type="hidden" name="${name}" value="${value}" />`;

/** The faults of a field; undefined if it has none. */
type Faulty = readonly string[] | undefined;

/** The attributes of a field with faults, which name what `fieldFaults` shows. */
export const wrongField = (name: string, faults: Faulty): Html =>
  faults === undefined ? html`` : html`aria-invalid="true" aria-describedby="wrong-${name}"`;

/** The faults of a field, to be shown below it. */
export const fieldFaults = (name: string, faults: Faulty): Html =>
  faults === undefined ? html`` : html`<p class="wrong" id="wrong-${name}">${faults.join('; ')}</p>`;

type TextField = {
  readonly label: string;
  readonly value: string;
  readonly faults: Faulty;
  /** Further attributes of the field. */
  readonly more?: Html;
};

/** A text field with its label, and with its faults below it. */
export const textField = (name: string, { label, value, faults, more = html`` }: TextField): Html =>
  html`<div>
    <label>${label} <input name="${name}" value="${value}" ${more} ${wrongField(name, faults)} /> </label>
    ${fieldFaults(name, faults)}
  </div>`;

/** The names of the scopes of a cap. */
export const SCOPE_WORDS: { readonly [scope: string]: string } = {
  workspace: 'the workspace',
  signal_setup: 'signal setup',
  agent: 'agent',
  api_key: 'API key',
};

/** The scope of a cap, in words. */
export const scopeWords = (scope: string, scopeId: string): string =>
  `${SCOPE_WORDS[scope] ?? scope}${scopeId === '-' ? '' : ` ${scopeId}`}`;
