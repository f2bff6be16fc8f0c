import { isSchema, type Documented } from './openapi-schemas.js';
import { html, page, type Html } from './page.js';
import type { problemTypes } from './problem.js';

const NONE: Documented = {};

/** The OpenAPI document as a page that needs no script: every operation, its parameters, schemas and examples. */
export function docsPage(document: Documented): string {
  const info = at(document, 'info');
  const operations = operationsOf(document);
  const tags = [...new Set(operations.map(({ tag }) => tag))].sort();
  return page(
    text(info['title']),
    html`<h1>${text(info['title'])} <small>${text(info['version'])}</small></h1>
      <p>${prose(info['description'])}</p>
      <p>
        Every request carries <code>Authorization: Bearer &lt;API_KEY&gt;</code>, but for those of the service
        itself. The same for programs: <a href="/openapi.json">openapi.json</a>.
      </p>
      <nav>${tags.map((tag) => html`<div><a href="#${tag}">${tag}</a></div>`)}</nav>
      ${tags.map(
        (tag) =>
          html`<h2 id="${tag}">${tag}</h2>
            ${operations.filter((operation) => operation.tag === tag).map((operation) => operationPart(document, operation))}`,
      )}`,
  );
}

/** What a problem type means, for who follows the link in a problem document. */
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

function operationsOf(document: Documented): readonly Operation[] {
  return Object.entries(at(document, 'paths')).flatMap(([path, item]) =>
    Object.entries(isSchema(item) ? item : NONE).flatMap(([method, operation]): readonly Operation[] => {
      if (!isSchema(operation)) return [];
      const [tag] = list(operation['tags']);
      return [{ method: method.toUpperCase(), path, tag: text(tag), operation }];
    }),
  );
}

function operationPart(document: Documented, { method, path, operation }: Operation): Html {
  const parameters = list(operation['parameters']).filter(isSchema);
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
    <td><code>${JSON.stringify(parameter['schema'])}</code> ${prose(parameter['description'])}</td>
  </tr>`;
}

function answerPart(document: Documented, status: string, answer: unknown): Html {
  const given = isSchema(answer) ? answer : NONE;
  const reference = text(given['$ref']).replace(/^#\//, '');
  const told = reference === '' ? given : at(document, ...reference.split('/'));
  const media = Object.values(at(told, 'content')).filter(isSchema);
  return html`<details>
    <summary><strong>${status}</strong> ${prose(told['description'])}</summary>
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
    <details>
      <summary>Schema</summary>
      <pre>${JSON.stringify(media['schema'], null, 2)}</pre>
    </details>`;
}

function at(document: Documented, ...steps: readonly string[]): Documented {
  const [step, ...rest] = steps;
  if (step === undefined) return document;
  const below = document[step];
  return isSchema(below) ? at(below, ...rest) : NONE;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Sentences of a declaration: what stands between back quotes is code. */
function prose(value: unknown): readonly Html[] {
  return text(value)
    .split('`')
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}
