import { randomUUID } from 'node:crypto';
import { refusal } from '#kernel/values/refusal.js';
import { html, type Html } from '#http/page.js';
import { oneOfParam, textQuery } from '#http/parameters.js';
import { problemOf } from '#http/problem.js';
import { partOf } from '../answer.js';
import {
  actionLink,
  inputOf,
  type Action,
  type ActionField,
  type Given,
  type ActionPreview,
} from '../actions/action.js';
import { actions } from '../actions/actions.js';
import { atDesk } from '../console-endpoints.js';
import { faultPart, type Done, type DoneElsewhere, type Shown } from '../page-answers.js';
import { fieldFaults, wrongField } from '../parts.js';
import type { Visit } from '../visits.js';
import type { SentForm } from '../sent-forms.js';
import { FORM } from '../form.js';
import { facts, formTokenField, table } from '../layout.js';

const params = {
  action: oneOfParam(
    actions.map(({ command }) => command),
    404,
  ),
};
const fieldNames = new Set(actions.flatMap(({ fields }) => fields.map(({ name }) => name)));
/** Present if the form is shown although all its fields are given. */
const FILL_IN = 'fill_in';
/**
 * The key of the form. The fields are sent with it, so the address of the preview keeps it: a browser that goes back, or a
 * colleague, gets the same form.
 */
const KEY = 'key';
const query = Object.fromEntries(
  [...fieldNames, FILL_IN, KEY].map((name) => [
    name,
    textQuery({ maximum: 1_000, invalid: 422, empty: true }),
  ]),
);

const otherStatuses = [303, 403, 404, 409, 422] as const;

export const ActionPage = atDesk({
  route: 'GET /console/actions/:action',
  summary: 'The form of an action and, once it is filled in, a preview of its changes',
  params,
  query,
  otherStatuses,
  answer: (desk, { params: { action: name }, query: fields, ...asked }) =>
    desk.page(asked, async (visit) => {
      const action = actionNamed(name);
      visit.requireMay(action.command);
      const given = givenOf(action, (field) => fields[field] ?? null);
      const isFilledIn = action.fields.every((field) => field.isOptional === true || field.name in given);
      const isWhole = isFilledIn && (fields[FILL_IN] ?? null) === null;
      if (!isWhole) return formPage(action, given, null);
      const key = fields[KEY] ?? '';
      return shownOrForm(visit, action, given, key === '' ? newKey() : key);
    }),
});

export const SendAction = atDesk({
  route: 'POST /console/actions/:action',
  summary: 'Execute an action after its preview',
  params,
  body: FORM,
  otherStatuses,
  answer(desk, { params: { action: name }, body, ...asked }) {
    const action = actionNamed(name);
    const pageOf = (form: URLSearchParams): string =>
      actionLink(
        name,
        givenOf(action, (field) => form.get(field)),
      );
    return desk.action(asked, body, pageOf, (visit, form) => send(visit, action, form));
  },
});

const stateChanged = refusal({
  code: 'state-changed',
  kind: 'conflicting',
  detail: 'The state has changed since it was shown. Nothing was changed.',
});

async function send(visit: Visit, action: Action, form: URLSearchParams): Promise<Done> {
  const given = givenOf(action, (field) => form.get(field));
  return orForm(action, given, () => sendGiven(visit, action, given, form));
}

async function sendGiven(visit: Visit, action: Action, given: Given, form: URLSearchParams): Promise<Done> {
  const key = form.get(KEY) ?? '';
  const approved = form.get('approved') ?? undefined;
  const input = inputOf(action, given, { key, approved });
  visit.check(action.command, input);
  // Before the preview: it would show a state that the first click has changed.
  const sent = formOf(action, key, given);
  const before = await visit.sentBefore(sent);
  if (before !== null) return before;
  const preview = await action.preview(visit, given);
  if (preview.approved !== undefined && preview.approved !== approved) {
    // The first click may have changed the state since.
    const meanwhile = await visit.sentBefore(sent);
    if (meanwhile !== null) return meanwhile;
    const changed = stateChanged();
    const above = html`<p class="notice fault" role="alert">${changed.message}</p>`;
    return { ...previewPage(visit, action, given, { key, preview, above }), status: 409, refusal: changed };
  }
  if (action.cannotBeUndone !== undefined && form.get('again') !== 'yes')
    return askedAgain(visit, action, given, preview, key);
  return visit.once(sent, () => execute(visit, action, given, input));
}

async function execute(visit: Visit, action: Action, given: Given, input: object): Promise<SentForm> {
  if (action.isLong === true) {
    const subjects = Object.values(subjectsOf(action, given)).join(' ');
    const words = { title: `${action.title}: ${subjects}`, back: action.from(given) };
    const done = { to: visit.begin(action.command, input, words) };
    return { page: done, again: done };
  }
  const answer = partOf(await visit.run(action.command, input));
  const { to = action.from(given), text, secret } = action.written(answer, given);
  const done = { to, text };
  if (secret === undefined) return { page: done, again: done };
  const page = {
    title: action.title,
    body: html`<p class="notice" role="status">${text}</p>
      ${facts([[secret.name, html`<code>${secret.value}</code>`]])}
      <p><strong>It is shown once.</strong> Copy it before you leave this page.</p>
      <p><a class="button" href="${to}">Go on</a></p>`,
  };
  return { page, again: done };
}

function actionNamed(name: string): Action {
  const action = actions.find(({ command }) => command === name);
  if (action === undefined) throw new Error(`there is no action ${name}`);
  return action;
}

/** The non-empty fields of an action. */
const givenOf = ({ fields }: Action, read: (field: string) => string | null): Given =>
  Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = read(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );

/** A form, as `Visit.once` knows it again. */
const formOf = ({ command }: Action, key: string, given: Given): string =>
  JSON.stringify([command, key, given]);

/** The expected changes, or the result if the form was sent; or the form with its faults if the command would refuse it. */
const shownOrForm = (visit: Visit, action: Action, given: Given, key: string): Promise<Done> =>
  orForm(action, given, async () => {
    visit.check(action.command, inputOf(action, given, { key, approved: undefined }));
    const result = await visit.resultOf(formOf(action, key, given));
    if (result !== null) return sentPage(action, given, result);
    const preview = await action.preview(visit, given);
    return previewPage(visit, action, given, { key, preview, above: html`` });
  });

/**
 * The answer of `answer`; after a refusal the form with what was filled in and each fault beside its field. A refusal
 * that no other input avoids is rethrown: of the role, or of a subject that does not exist.
 */
async function orForm(action: Action, given: Given, answer: () => Promise<Done>): Promise<Done> {
  try {
    return await answer();
  } catch (error) {
    const { status, errors } = problemOf(error);
    if (status === 403 || status >= 500 || (status === 404 && errors === undefined)) throw error;
    const shownStatus = status === 404 || status === 409 ? status : 422;
    return { ...formPage(action, given, error), status: shownStatus, refusal: error };
  }
}

/** A key per form, so that a repeated submission has no second effect. */
const newKey = (): string => `console:${randomUUID()}`;

function formPage(action: Action, given: Given, refusal: unknown): Shown {
  const subjects = action.fields.filter((field) => field.isSubject === true && field.name in given);
  const faults = refusal === null ? undefined : problemOf(refusal).errors;
  const labels = new Map(action.fields.map(({ name, label }) => [name, label]));
  return {
    title: action.title,
    body: html`${refusal === null ? '' : faultPart(refusal, labels)}
      ${facts(subjects.map(({ name, label }) => [label, given[name] ?? '']))}
      <form class="action" method="get" action="/console/actions/${action.command}">
        ${action.fields.map((field) =>
          subjects.includes(field)
            ? hidden(field.name, given[field.name] ?? '')
            : labelled(field, given[field.name] ?? '', faults?.get(field.name)),
        )}
        ${hidden(KEY, newKey())}
        <p class="buttons">
          <button class="primary">Show what will change</button>
          <a href="${action.from(given)}">Back</a>
        </p>
      </form>`,
  };
}

const changesOf = ({ affects, changes }: ActionPreview): Html =>
  html`<p class="affects">${affects}</p>
    ${table(
      'What will change',
      ['What', 'Now', 'Then'],
      changes.map(({ name, now, then }) => [name, now, then]),
      'Nothing changes.',
    )}`;

const givenFacts = ({ fields }: Action, given: Given): Html =>
  facts(fields.flatMap(({ name, label }) => (name in given ? [[label, given[name] ?? ''] as const] : [])));

/** The link to the form with these fields, which has another key; nothing if it has no fields. */
const fillInAgain = (action: Action, given: Given): Html =>
  action.fields.some(({ isSubject }) => isSubject !== true)
    ? html`<a href="${actionLink(action.command, { ...given, [FILL_IN]: 'again' })}">Fill in again</a>`
    : html``;

/** The page of a form that was sent before, without its button. */
const sentPage = (action: Action, given: Given, { to, text = '' }: DoneElsewhere): Shown => ({
  title: action.title,
  body: html`<p class="notice" role="status">This form was sent before. ${text}</p>
    ${givenFacts(action, given)}
    <p><a class="button" href="${to}">Go on</a> ${fillInAgain(action, given)}</p>`,
});

type PreviewPart = { readonly key: string; readonly preview: ActionPreview; readonly above: Html };

function previewPage(
  visit: Visit,
  action: Action,
  given: Given,
  { key, preview, above }: PreviewPart,
): Shown {
  const { nothingToDo, button, approved } = preview;
  return {
    title: action.title,
    body: html`${above} ${givenFacts(action, given)} ${changesOf(preview)}
      ${
        nothingToDo === undefined
          ? sendForm(visit, action, given, { key, approved }, button, false)
          : html`<p class="notice">${nothingToDo}</p>`
      }
      <p>
        ${fillInAgain(action, given)}
        <a href="${action.from(given)}">Back without a change</a>
      </p>`,
  };
}

const subjectsOf = ({ fields }: Action, given: Given): Given =>
  Object.fromEntries(
    fields.flatMap(({ name, isSubject }) =>
      isSubject === true && given[name] !== undefined ? [[name, given[name]]] : [],
    ),
  );

function askedAgain(visit: Visit, action: Action, given: Given, preview: ActionPreview, key: string): Done {
  return {
    title: action.title,
    body: html`<div class="notice fault" role="alert">
        <p><strong>This cannot be undone.</strong> ${action.cannotBeUndone ?? ''}</p>
      </div>
      ${givenFacts(action, given)} ${changesOf(preview)}
      ${sendForm(visit, action, given, { key, approved: preview.approved }, `${preview.button} for good`, true)}
      <p><a href="${action.from(given)}">Back without a change</a></p>`,
  };
}

function sendForm(
  { session }: Visit,
  action: Action,
  given: Given,
  { key, approved }: { readonly key: string; readonly approved: string | undefined },
  button: string,
  isAgain: boolean,
): Html {
  return html`<form class="action" method="post" action="/console/actions/${action.command}">
    ${formTokenField(session.formToken)} ${Object.entries(given).map(([name, value]) => hidden(name, value))}
    ${hidden(KEY, key)} ${approved === undefined ? '' : hidden('approved', approved)}
    ${isAgain ? hidden('again', 'yes') : ''}
    <button class="${isAgain ? 'primary danger' : 'primary'}">${button}</button>
  </form>`;
}

const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

/** A field with its label, and with its faults below it. */
function labelled(field: ActionField, value: string, faults: readonly string[] | undefined): Html {
  const { name, label, hint, isOptional } = field;
  const control = controlOf(field, value, wrongField(name, faults));
  const whole = html`<label>
    <span>${label}${isOptional === true ? html` <small>optional</small>` : ''}</span>
    ${control} ${hint === undefined ? '' : html`<small>${hint}</small>`}
  </label>`;
  return faults === undefined ? whole : html`<div>${whole} ${fieldFaults(name, faults)}</div>`;
}

const INPUT_TYPES = { number: 'number', date: 'date', month: 'month', 'long text': 'text' } as const;

function controlOf({ name, kind, choices, isOptional }: ActionField, value: string, wrong: Html): Html {
  const required = html`${isOptional === true ? '' : html`required`} ${wrong}`;
  if (choices !== undefined)
    return html`<select name="${name}" ${required}>
      ${['', ...choices].map((choice) =>
        choice === value ? html`<option selected>${choice}</option>` : html`<option>${choice}</option>`,
      )}
    </select>`;
  if (kind === 'long text')
    return html`<textarea name="${name}" rows="2" maxlength="1000" ${required}>${value}</textarea>`;
  const type = kind === undefined ? 'text' : INPUT_TYPES[kind];
  return html`<input name="${name}" type="${type}" value="${value}" ${required} />`;
}
