import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Where there is no room for its navigation the viewer folds everything into one column instead. */
const ON_NARROW_SCREENS = `
if (matchMedia('(max-width: 767px)').matches) document.querySelector('rapi-doc').setAttribute('render-style', 'view');
`;

/** The viewer of the API, one file with everything that it needs. */
export const viewerScript = (): string =>
  ON_NARROW_SCREENS +
  readFileSync(createRequire(import.meta.url).resolve('rapidoc/dist/rapidoc-min.js'), 'utf8');

/** Its own script and requests to this service, nothing from elsewhere; it writes its styles into the page. */
export const VIEWER_SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The page that holds the viewer. What it shows is the OpenAPI document of this service. */
export const VIEWER_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Workspace Signal Detection API</title>
    <link rel="icon" href="data:," />
    <script type="module" src="/docs/viewer.js"></script>
  </head>
  <body style="margin: 0">
    <noscript><p><a href="/docs/plain">The same on a page without scripts</a></p></noscript>
    <rapi-doc
      spec-url="/openapi.json"
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
