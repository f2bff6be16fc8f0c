import { declarationOf } from '#http/endpoint.js';
import { expectNone } from './expect-none.js';
import { exportsOf, servingFile, sourceFiles } from './house.js';
import { servedEndpoints } from './served-endpoints.js';
import { PLACES, queryRoutes } from '../bench/query-routes.js';
import { pathAt } from '../support/every-route.js';

/** Routes that answer without an API key: health, documentation, explanation of problem types. */
const PUBLIC = [
  '/health/live',
  '/health/ready',
  '/openapi.json',
  '/',
  '/docs',
  '/docs/viewer.js',
  '/docs/plain',
  '/errors/:slug',
];

/** Paths outside /api, spelt as in the published descriptions of the API (OP-61). */
const LITERAL = ['/workspace-leads/locations', '/mcp'];

/** Routes whose answer is not JSON, or is described by another protocol. */
const WITHOUT_SCHEMA = ['GET /docs', 'GET /docs/viewer.js', 'GET /docs/plain', 'POST /mcp'];

const endpoints = servedEndpoints().map((served) => ({
  ...served,
  routes: served.declared.paths.map((path) => `${served.declared.method} ${path}`),
}));
const routes = endpoints.flatMap((endpoint) => endpoint.routes);

describe('the endpoints of the house', () => {
  it('each read an object that the benchmark of queries makes', () => {
    const unknown: string[] = [];
    const note = (place: string): void => {
      if (!PLACES.some((known) => known === place)) unknown.push(place);
    };
    const routes = queryRoutes();
    for (const { path } of routes) pathAt(path, note);
    expect(routes.length).toBeGreaterThan(0);
    expectNone(unknown, 'add these places to PLACES in test/bench/query-routes.ts');
  });

  it('are each listed in a module that the api imports', async () => {
    const served = new Set(endpoints.map(({ target }) => target));
    const declared = (await exportsOf('apps/api/src')).filter(({ value }) => declarationOf(value) !== null);
    expect(declared.length).toBeGreaterThan(0);
    expectNone(
      declared.filter(({ value }) => !served.has(value)).map(({ file, name }) => `${name} of ${file}`),
      'list these endpoints, or the handlers of their messages, in the .module.ts beside them',
    );
    expect(served.size).toBe(endpoints.length);
  });

  it('have a file each: a use case that is mounted', async () => {
    const mounted = new Set(
      (await exportsOf('apps/api/src'))
        .filter(({ value }) => declarationOf(value) !== null)
        .map(({ file }) => file),
    );
    const useCases = sourceFiles('apps/api/src').filter((file) => /\.(command|query)\.ts$/.test(file));
    expect(useCases.length).toBeGreaterThan(0);
    expectNone(
      useCases.filter((file) => !mounted.has(file)),
      'put @Endpoint above the message of these files, or name them otherwise: a .query.ts or .command.ts is mounted',
    );
  });

  it('declare their answers: a response schema, or 204 and no body', () => {
    const silent = endpoints.filter(
      ({ declared, routes: own }) =>
        (declared.response === undefined) !== (declared.status === 204) &&
        !own.every((route) => WITHOUT_SCHEMA.includes(route)),
    );
    expectNone(
      silent.flatMap(({ routes: own }) => own),
      'declare a `response` for these routes, or `status: 204`',
    );
  });

  it('need an API key, except health and documentation', () => {
    const open = endpoints.filter(({ declared }) => declared.caller === 'public');
    expect(open.flatMap(({ declared }) => declared.paths).filter((path) => !PUBLIC.includes(path))).toEqual(
      [],
    );
    const keyed = endpoints.filter(({ declared }) => declared.caller === 'apiKey');
    expect(keyed.length).toBeGreaterThan(0);
    expect(
      keyed.flatMap(({ declared }) => declared.paths).filter((path) => !path.startsWith('/api/')),
    ).toEqual(LITERAL);
  });

  it('have a summary, and each route belongs to one endpoint', () => {
    expectNone(
      endpoints.filter(({ declared }) => declared.summary.trim() === '').flatMap(({ routes: own }) => own),
      'give these routes a `summary`',
    );
    expectNone(
      routes.filter((route, index) => routes.indexOf(route) !== index),
      'these routes belong to two endpoints: take one away',
    );
  });

  it('are found by searching for their route: it stands in one source file, a use case or the http library', () => {
    const files = routes.map((route) => servingFile(route));
    expect(files.length).toBeGreaterThan(0);
    expectNone(
      files.filter((file) => !/\.(command|query)\.ts$|\/service-endpoints\.ts$/.test(file)),
      'declare the routes of these files in a .query.ts or .command.ts',
    );
  });
});
