import { dirname, posix } from 'node:path';
import {
  filesEndingWith,
  isThere,
  listed,
  pascal,
  Refused,
  requireFreeNames,
  requireName,
  textOf,
} from './house-files.mjs';

const ENDPOINTS = 'apps/api/src';

/** A query with its handler, its lines in the module, and a spec that calls it over HTTP. */
export function endpoint([place, name, route]) {
  requireName('the feature', place, /^[a-z]+(\/[a-z-]+)?$/, 'ledger or lists/personas');
  requireName('the name', name, /^[a-z]+(-[a-z]+)+$/, 'get-grants: a verb and a noun');
  requireName('the route', route, /^[A-Z]+ \/\S*$/, "'GET /api/v3/credits/grants'");
  const [method, path] = route.split(' ');
  if (method !== 'GET')
    throw new Refused(
      `${method} changes something and needs a decision: start from apps/api/src/lists/create-list.command.ts`,
    );
  if (!/^\/api\/v\d+(\/[a-z][a-z-]*)+$/.test(path))
    throw new Refused(
      `the path is like /api/v3/credits/grants, in small letters; parameters are added to \`params\` afterwards, as in ${ENDPOINTS}/lists/get-list.query.ts`,
    );
  const served = filesEndingWith('.ts', ENDPOINTS).find((file) => textOf(file).includes(`'${route}'`));
  if (served !== undefined) throw new Refused(`${route} is served by ${served}`);
  const module = moduleOf(place);
  const file = posix.join(dirname(module), `${name}.query.ts`);
  const message = pascal(name);
  requireFreeNames([message, `${message}View`]);
  const toApi = posix.relative(dirname(module), ENDPOINTS);
  return {
    written: {
      [file]: queryText({ message, route, toApi, noun: name.split('-').slice(1).join(' ') }),
      [`test/api/${name}.spec.ts`]: specText(route),
    },
    changed: {
      [module]: listed(textOf(module), {
        importLine: `import { ${message} } from './${name}.query.js';`,
        lists: [{ begins: /endpointsOf\(/, ends: ')', name: message }],
      }),
    },
    next: [
      `implement the answer in ${file}: query a read model (readModels of the second argument, ${toApi}/ports.ts), declare its query, params and problems`,
      'describe new fields in the .reference.ts file of the folder; apps/api/src/reference/reference.ts lists these files',
      'describe a new first word of the path, after its version, in `GROUPS` of apps/api/src/reference/guides.ts',
      'npm run docs && npm run examples',
      'a rule in docs/rules and a line in docs/features.md for callers; refusals that depend on state in schemathesis.toml',
      'a route that lists objects: a row in furnish() of test/support/every-route.ts, two if it has a cursor',
      `npm test -- api/${name} api/isolation house/`,
    ],
  };
}

function moduleOf(place) {
  const folder = posix.join(ENDPOINTS, place);
  if (!isThere(folder)) throw new Refused(`there is no folder ${folder}`);
  const all = filesEndingWith('.module.ts', folder);
  const own = all.filter((file) => dirname(file) === folder);
  const [module, other] = own.length > 0 ? own : all;
  if (module === undefined) throw new Refused(`no module in ${folder} lists endpoints`);
  if (other !== undefined)
    throw new Refused(
      `${place} has several modules: name one of ${all.map((file) => posix.relative(ENDPOINTS, dirname(file))).join(', ')}`,
    );
  return module;
}

const queryText = ({ message, route, toApi, noun }) => `import { Id, Type } from '#kernel/values/schema.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '${toApi}/handle.js';

const ${message}View = Type.Object({ id: Id }, { title: '${message}View' });

@Endpoint({
  caller: 'apiKey',
  route: '${route}',
  summary: 'Get the ${noun} of the workspace',
  description: 'Of the workspace that the API key belongs to.',
  response: DataOf(${message}View),
})
export class ${message} extends EndpointQuery<DataOf<{ readonly id: number }>> {}

handle(${message}, async ({ workspaceId }) => ({ data: { id: workspaceId } }));
`;

const specText = (route) => `import { scene } from '#test/support/scene.js';

describe('${route}', () => {
  const service = scene();

  it('answers for the workspace of the key', async () => {
    const workspace = await service.workspace();
    const { status, body } = await workspace.call('${route}');
    expect([status, body]).toEqual([200, { data: { id: workspace.id } }]);
  });

  it('needs an API key, and adds no event', async () => {
    expect((await service.refused(() => service.call('${route}'))).status).toBe(401);
  });
});
`;
