import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SOMETHING_VISIBLE } from '#kernel/values/blank-text.js';

/** If there is no space for it beside the text, the table of contents replaces the text on request. */
const CONTENTS_WHEN_ASKED = `
{
  const viewer = document.querySelector('rapi-doc');
  const button = document.querySelector('header button');
  const show = (open) => {
    viewer.toggleAttribute('data-contents', open);
    button.setAttribute('aria-expanded', String(open));
  };
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') === 'false'));
  addEventListener('keydown', ({ key }) => key === 'Escape' && show(false));
  const leads = ({ dataset }) => dataset?.contentId;
  viewer.addEventListener('click', (event) => event.composedPath().some(leads) && show(false), true);
}
`;

/**
 * The viewer shows each plain type of an alternative in a row, and such a parameter without a type: they become one
 * type in words, `date or date-time`. For a choice among fields (`oneOf` of `required`) it shows rows without a type:
 * the choice becomes a sentence. It fails on an example with a null in it, unless the example has a name. The pattern
 * of non-blank texts is unreadable and left out.
 */
const SHOWN_DOCUMENT = `
{
  const BLANK = ${JSON.stringify(SOMETHING_VISIBLE)};
  const isPlain = (schema) => Object.keys(schema).every((key) => key === 'type' || key === 'format');
  const isNeed = ({ required, properties = {}, ...others }) =>
    Array.isArray(required) &&
    Object.keys(others).length === 0 &&
    Object.keys(properties).every((name) => required.includes(name));
  const choiceIn = ({ anyOf, oneOf, ...others }) => {
    const among = anyOf ?? oneOf;
    if (!Array.isArray(among) || Object.keys(others).length > 0 || !among.every(isNeed)) return [];
    const fields = among.flatMap(({ required }) => required).join(', ');
    return [(anyOf ? 'At least one of: ' : 'Exactly one of: ') + fields + '.'];
  };
  const shown = (part) => {
    if (Array.isArray(part)) return part.map(shown);
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part.allOf) && part.allOf.some((schema) => choiceIn(schema).length > 0)) {
      const { allOf, ...beside } = part;
      const description = beside.description ?? allOf.flatMap(choiceIn).join(' ');
      return shown({ ...beside, description, allOf: allOf.filter((schema) => choiceIn(schema).length === 0) });
    }
    const { anyOf, pattern, example, examples, ...others } = part;
    const rest = Object.fromEntries(Object.entries(others).map(([key, below]) => [key, shown(below)]));
    if (example !== undefined && part.schema !== undefined) rest.examples = { Example: { value: example } };
    else if (example !== undefined) rest.example = example;
    if (examples !== undefined) rest.examples = examples;
    if (pattern !== undefined && pattern !== BLANK) rest.pattern = pattern;
    if (!Array.isArray(anyOf)) return anyOf === undefined ? rest : { ...rest, anyOf: shown(anyOf) };
    if (!anyOf.every(isPlain)) return { ...rest, anyOf: shown(anyOf) };
    return { ...rest, type: 'string', format: anyOf.map(({ type, format }) => format ?? type).join(' or ') };
  };
  const viewer = document.querySelector('rapi-doc');
  const described = fetch('/openapi.json').then((answer) => answer.json());
  customElements.whenDefined('rapi-doc').then(async () => viewer.loadSpec(shown(await described)));
}
`;

/** In a narrow window the viewer leaves out the descriptions of fields; here they are below the name and the type. */
const MEANING_BELOW = `
{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`
    @container (max-width: 499.9px) {
      .tr { flex-wrap: wrap; }
      .tr > .td.key { flex: 1; width: auto; }
      .tr > .td { min-width: 0; overflow-wrap: anywhere; }
      .td.key-descr { display: block; flex-basis: 100%; padding-left: 24px; }
      .td.key-descr:empty { display: none; }
    }
  \`);
  for (const name of ['schema-table', 'schema-tree']) customElements.get(name).elementStyles.push(sheet);
}
`;

/**
 * In a narrow window the viewer moves the license out of sight, and the tables and buttons of some pages are too
 * wide.
 */
const WITHIN_THE_WINDOW = `
{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`
    #api-info { margin-left: 0; }
    @media (max-width: 767px) {
      .m-markdown table { width: 100%; table-layout: fixed; }
      .m-markdown th, .m-markdown td { padding: 6px 4px; }
      .m-markdown th, .m-markdown td, .m-markdown code { overflow-wrap: anywhere; }
      .m-markdown code { white-space: normal; }
      .m-markdown pre code { white-space: pre-wrap; }
      [part~=label-operation-path] { overflow-wrap: anywhere; }
      .m-markdown td code { padding: 0 2px; }
    }
  \`);
  document.querySelector('rapi-doc').shadowRoot.adoptedStyleSheets.push(sheet);
}
`;

/** The viewer of the API, one file without dependencies. */
export const viewerScript = (): string =>
  [
    CONTENTS_WHEN_ASKED,
    SHOWN_DOCUMENT,
    readFileSync(createRequire(import.meta.url).resolve('rapidoc/dist/rapidoc-min.js'), 'utf8'),
    MEANING_BELOW,
    WITHIN_THE_WINDOW,
  ].join('\n');

/** Only its own script and requests to this service, nothing external; it writes its styles into the page. */
export const VIEWER_SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The page with the viewer, which shows the OpenAPI document of this service. */
export const VIEWER_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Workspace Signal Detection API</title>
    <link rel="icon" href="data:," />
    <script type="module" src="/docs/viewer.js"></script>
    <style>
      body {
        display: flex;
        flex-direction: column;
        height: 100vh;
        height: 100dvh;
        margin: 0;
        font: 16px system-ui, sans-serif;
      }
      header {
        display: none;
      }
      rapi-doc {
        flex: 1;
        min-height: 0;
      }
      @media (max-width: 767px) {
        header {
          display: flex;
          gap: 12px;
          align-items: center;
          padding: 6px 12px;
          border-bottom: 1px solid #ccc;
          font-size: 14px;
        }
        header button {
          padding: 8px 16px;
          font: inherit;
        }
        rapi-doc::part(wrap-request-btn) {
          flex-wrap: wrap;
          gap: 8px 0;
        }
        rapi-doc[data-contents]::part(section-navbar) {
          display: flex;
          width: 100%;
        }
        rapi-doc[data-contents]::part(section-main-content) {
          display: none;
        }
      }
    </style>
  </head>
  <body>
    <noscript><p><a href="/docs/plain">The same on a page without scripts</a></p></noscript>
    <header>
      <button type="button" aria-expanded="false" aria-controls="contents">Contents</button>
      Workspace Signal Detection API
    </header>
    <rapi-doc
      id="contents"
      render-style="focused"
      schema-style="table"
      schema-description-expanded="true"
      default-schema-tab="schema"
      show-header="false"
      show-method-in-nav-bar="as-colored-text"
      use-path-in-nav-bar="false"
      info-description-headings-in-navbar="true"
      allow-authentication="true"
      allow-server-selection="false"
      allow-spec-url-load="false"
      allow-spec-file-load="false"
      allow-spec-file-download="false"
      fill-request-fields-with-example="false"
      allow-search="true"
      allow-advanced-search="true"
      allow-try="true"
      show-curl-before-try="true"
      persist-auth="false"
      load-fonts="false"
      regular-font="system-ui, sans-serif"
      mono-font="ui-monospace, monospace"
      primary-color="#00a666"
      theme="light"
    >
      <p slot="nav-logo" style="margin: 12px 16px; font-size: 14px">
        <a href="/docs/plain" style="color: inherit">Without scripts</a>
      </p>
    </rapi-doc>
  </body>
</html>
`;
