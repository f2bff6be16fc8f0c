import { isObject } from '#kernel/values/json.js';
import type { Documented } from './openapi-schemas.js';

type Sampled = {
  readonly method: string;
  /** In the notation of OpenAPI. */
  readonly path: string;
  readonly keyed: boolean;
  readonly parameters: readonly Documented[];
  /** A body for the operation; absent if it takes none. */
  readonly request?: unknown;
};

/** Sample calls of an operation, for a shell and for the typed client. */
export function samplesOf(sampled: Sampled): readonly Documented[] {
  return [
    { lang: 'Shell', label: 'curl', source: curlOf(sampled) },
    { lang: 'TypeScript', label: 'TypeScript', source: typeScriptOf(sampled) },
  ];
}

function curlOf({ method, path, keyed, parameters, request }: Sampled): string {
  const values = pathValues(parameters);
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE_URL${url}"`,
    ...(keyed ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(request === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(request).replaceAll("'", `'\\''`)}'`]),
  ].join(' \\\n  ');
}

function typeScriptOf({ method, path, parameters, request }: Sampled): string {
  const values = pathValues(parameters);
  const options = {
    ...(Object.keys(values).length === 0 ? {} : { params: { path: values } }),
    ...(request === undefined ? {} : { body: request }),
  };
  const given = Object.keys(options).length === 0 ? '' : `, ${JSON.stringify(options, null, 2)}`;
  return [
    "import { createClient } from 'signal-ledger-client';",
    '',
    'const client = createClient({ baseUrl, apiKey });',
    `const { data, error } = await client.${method}('${path}'${given});`,
  ].join('\n');
}

/** Values for the path parameters: their examples, or the first allowed word. */
function pathValues(parameters: readonly Documented[]): { readonly [name: string]: unknown } {
  return Object.fromEntries(
    parameters
      .filter((parameter) => parameter['in'] === 'path')
      .map(({ name, schema }) => {
        const { examples, enum: words } = isObject(schema) ? schema : {};
        const [value] = [examples, words].flat().filter((each) => each !== undefined);
        return [String(name), value];
      }),
  );
}
