import { isObject } from '#kernel/values/json.js';
import type { Documented } from './openapi-schemas.js';
import { markdownPart } from './markdown.js';
import { html, page, type Html } from './page.js';
import type { problemTypes } from './problem.js';

const NONE: Documented = {};

/** The OpenAPI document as a page that needs no script: every operation, its parameters, schemas and examples. */
export function docsPage(document: Documented): string {
  const info = at(document, 'info');
  const operations = operationsOf(document);
  const tags = list(document['tags'])
    .filter(isObject)
    .map(({ name, description }) => ({ name: text(name), description }));
  return page(
    text(info['title']),
    html`<h1>${text(info['title'])} <small>${text(info['version'])}</small></h1>
      ${markdownPart(text(info['description']))}
      <nav>
        ${[...tags.map(({ name }) => name), 'schemas'].map((tag) => html`<div><a href="#${tag}">${tag}</a></div>`)}
      </nav>
      ${tags.map(
        ({ name: tag, description }) =>
          html`<h2 id="${tag}">${tag}</h2>
            <p>${prose(description)}</p>
            ${operations.filter((operation) => operation.tag === tag).map((operation) => operationPart(document, operation))}`,
      )}
      <h2 id="schemas">Schemas</h2>
      ${Object.entries(at(document, 'components', 'schemas')).map(([name, schema]) =>
        isObject(schema) ? schemaPart(name, schema) : html``,
      )}`,
  );
}

/** The page of a problem type, the target of the link in a problem document. */
export function problemPage(slug: string, type: (typeof problemTypes)[string]): string {
  const members = Object.keys(type.members ?? {});
  return page(
    type.title,
    html`<h1>${type.title}</h1>
      <p><code>${slug}</code></p>
      <p>${type.meaning}</p>
      ${members.length === 0 ? '' : html`<p>The document carries besides: <code>${members.join(', ')}</code>.</p>`}
      <p><a href="/docs">All requests and answers</a></p>`,
  );
}

type Operation = {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly operation: Documented;
};

/** Operations of the API, and requests that it makes to addresses of callers. */
function operationsOf(document: Documented): readonly Operation[] {
  return ['paths', 'webhooks']
    .flatMap((place) => Object.entries(at(document, place)))
    .flatMap(([path, item]) =>
      Object.entries(isObject(item) ? item : NONE).flatMap(([method, operation]): readonly Operation[] => {
        if (!isObject(operation)) return [];
        const [tag] = list(operation['tags']);
        return [{ method: method.toUpperCase(), path, tag: text(tag), operation }];
      }),
    );
}

function operationPart(document: Documented, { method, path, operation }: Operation): Html {
  const parameters = list(operation['parameters']).filter(isObject);
  const sent = at(operation, 'requestBody', 'content', 'application/json');
  return html`<details id="${text(operation['operationId'])}">
    <summary class="${operation['deprecated'] === true ? 'deprecated' : ''}">
      <span class="method">${method}</span> <code>${path}</code> ${text(operation['summary'])}
    </summary>
    <p>${prose(operation['description'])}</p>
    ${
      parameters.length === 0
        ? ''
        : html`<table>
            <tr>
              <th>Parameter</th>
              <th>in</th>
              <th>value</th>
            </tr>
            ${parameters.map(parameterRow)}
          </table>`
    }
    ${
      sent === NONE
        ? ''
        : html`<h4>Request body</h4>
            ${mediaPart(sent)}`
    }
    <h4>Answers</h4>
    ${Object.entries(at(operation, 'responses')).map(([status, answer]) => answerPart(document, status, answer))}
  </details>`;
}

function parameterRow(parameter: Documented): Html {
  return html`<tr>
    <td><code>${text(parameter['name'])}</code></td>
    <td>${text(parameter['in'])}</td>
    <td>${typeOf(parameter['schema'])}<br />${prose(parameter['description'])}</td>
  </tr>`;
}

function answerPart(document: Documented, status: string, answer: unknown): Html {
  const given = isObject(answer) ? answer : NONE;
  const reference = text(given['$ref']).replace(/^#\//, '');
  const response = reference === '' ? given : at(document, ...reference.split('/'));
  const media = Object.values(at(response, 'content')).filter(isObject);
  return html`<details>
    <summary><strong>${status}</strong> ${prose(response['description'])}</summary>
    ${media.map(mediaPart)}
  </details>`;
}

function mediaPart(media: Documented): Html {
  const example = media['example'];
  return html`${
      example === undefined
        ? ''
        : html`<p>For example</p>
            <pre>${JSON.stringify(example, null, 2)}</pre>`
    }
    <p>${typeOf(media['schema'])}</p>
    ${fieldsPart(media['schema'])}`;
}

function schemaPart(name: string, schema: Documented): Html {
  return html`<details id="schema-${name}">
    <summary><strong>${name}</strong> ${prose(schema['description'])}</summary>
    ${'properties' in schema ? fieldsPart(schema) : html`<p>${typeOf(schema)}</p>`}
  </details>`;
}

/** A row for each field: its name, its type, and its meaning. */
function fieldsPart(schema: unknown): Html {
  const fields = Object.entries(isObject(schema) ? at(schema, 'properties') : NONE);
  const required = new Set(isObject(schema) ? list(schema['required']) : []);
  if (fields.length === 0) return html``;
  return html`<table>
    <tr>
      <th>Field</th>
      <th>value</th>
    </tr>
    ${fields.map(
      ([name, field]) =>
        html`<tr>
          <td><code>${name}</code>${required.has(name) ? '' : ' (optional)'}</td>
          <td>
            ${typeOf(field)}<br />${prose(isObject(field) ? field['description'] : '')} ${exampleOf(field)}
          </td>
        </tr>`,
    )}
  </table>`;
}

function exampleOf(field: unknown): Html {
  const [example] = isObject(field) ? list(field['examples']) : [];
  return example === undefined ? html`` : html`For example <code>${JSON.stringify(example)}</code>.`;
}

/** The type of a value, in a few words. */
function typeOf(given: unknown): Html {
  if (!isObject(given)) return html`anything`;
  const named = text(given['$ref']).replace('#/components/schemas/', '');
  if (named !== '') return html`<a href="#schema-${named}">${named}</a>`;
  const all = list(given['allOf']);
  if (all.length > 0) return joined(all.map(typeOf), 'and');
  const forms = [...list(given['anyOf']), ...list(given['oneOf'])];
  if (forms.length > 0 && forms.every(isNeedOfFields))
    return html`${'anyOf' in given ? 'at least' : 'exactly'} one of
    ${joined(forms.flatMap(neededFields), ',')}`;
  if (forms.length > 0) return joined(forms.map(typeOf));
  if ('const' in given) return html`<code>${JSON.stringify(given['const'])}</code>`;
  const values = list(given['enum']);
  if (values.length > 0) return joined(values.map((value) => html`<code>${JSON.stringify(value)}</code>`));
  const types = [given['type'] ?? []].flat().map(text);
  if (types.includes('array'))
    return html`list of ${typeOf(given['items'])}${types.includes('null') ? ' or null' : ''}`;
  const bounds = BOUNDS.flatMap(([keyword, words]) =>
    keyword in given && Math.abs(Number(given[keyword])) < Number.MAX_SAFE_INTEGER
      ? [`${words} ${Number(given[keyword])}`]
      : [],
  );
  const format = text(given['format']);
  // `date or date-time`: that both are text is not repeated
  const words = format === '' ? types : [format, ...types.filter((type) => type !== 'string')];
  return html`${words.join(' ')}${bounds.map((bound) => html`, ${bound}`)}`;
}

const BOUNDS = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'characters at least'],
  ['maxLength', 'characters at most'],
] as const;

function joined(parts: readonly Html[], between: 'or' | 'and' | ',' = 'or'): Html {
  const space = between === ',' ? ', ' : ` ${between} `;
  return html`${parts.map((part, index) => (index === 0 ? part : html`${space}${part}`))}`;
}

/** One alternative of a choice among fields: only required fields and nothing else. */
const isNeedOfFields = (form: unknown): form is Documented =>
  isObject(form) &&
  'required' in form &&
  Object.keys(form).every((key) => key === 'required' || key === 'properties') &&
  Object.keys(at(form, 'properties')).every((name) => list(form['required']).includes(name));

const neededFields = (form: Documented): readonly Html[] =>
  list(form['required']).map((name) => html`<code>${text(name)}</code>`);

function at(document: Documented, ...steps: readonly string[]): Documented {
  const [step, ...rest] = steps;
  if (step === undefined) return document;
  const below = document[step];
  return isObject(below) ? at(below, ...rest) : NONE;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Sentences of a declaration; text between back quotes is code. */
function prose(value: unknown): readonly Html[] {
  return text(value)
    .split('`')
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}
