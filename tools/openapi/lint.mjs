// The rules of our OpenAPI documents: each takes the document and returns its faults.
// openapi-3.1.schema.json is https://spec.openapis.org/oas/3.1/schema/2026-08-03 (Apache-2.0), as published.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const official = JSON.parse(readFileSync(new URL('./openapi-3.1.schema.json', import.meta.url), 'utf8'));
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];
const PROBLEM_MEMBERS = ['type', 'title', 'status', 'detail', 'instance'];

/** Documents whose answer is such a document: an example of it would repeat the whole. */
const WITHOUT_EXAMPLE = new Set(['openApi']);

const isOpenApi = newAjv().compile(official);

/** How to describe a field or parameter without a description. */
const HOW_TO_DESCRIBE =
  'say what it means, with an example and the unit of a number, in the .reference.ts file beside the endpoint: of a field under ' +
  'the name of its schema, of a parameter under the id of its operation (listMovements); where it means the same everywhere, ' +
  'in apps/api/src/reference/everywhere.reference.ts';
const IS_ID = /^(\w+_)?ids?$|^corrects$/;

/** The schemas of each document; compiled schemas without references, by their text. */
const compilers = new WeakMap();
const compiledAlone = new Map();
const ajv = newAjv();

const rules = {
  'is not OpenAPI 3.1': (document) => {
    isOpenApi(document);
    return (isOpenApi.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  },
  'schema that cannot be compiled': (document) =>
    schemasOf(document).flatMap(({ at, schema }) => {
      const { fault } = compiled(document, schema);
      return fault === null ? [] : [`${at}: ${fault}`];
    }),
  'reference to nothing': (document) =>
    references(document).filter((reference) => resolved(document, reference) === undefined),
  'unused component': (document) => {
    const used = new Set(references(document));
    const schemes = new Set(
      operations(document).flatMap(({ operation }) => (operation.security ?? []).flatMap(Object.keys)),
    );
    return Object.entries(document.components ?? {}).flatMap(([kind, components]) =>
      Object.keys(components)
        .filter((name) =>
          kind === 'securitySchemes' ? !schemes.has(name) : !used.has(`#/components/${kind}/${name}`),
        )
        .map((name) => `${kind}/${name}`),
    );
  },
  'operation without a name of its own': (document) => {
    const ids = operations(document).map(({ operation }) => operation.operationId);
    return placesWhere(
      operations(document),
      ({ operation: { operationId } }) => !operationId || ids.filter((id) => id === operationId).length > 1,
    );
  },
  'operation whose name is no identifier': (document) =>
    placesWhere(
      operations(document),
      ({ operation: { operationId = '' } }) => !/^[a-z][A-Za-z0-9]*$/.test(operationId),
    ),
  // Generators of clients (openapi-python-client) require a schema there, not a boolean.
  'array whose items are a boolean': (document) => booleanItems(document, '#'),
  'operation without a summary': (document) =>
    placesWhere(operations(document), ({ operation }) => !operation.summary?.trim()),
  'operation without a description': (document) =>
    placesWhere(operations(document), ({ operation }) => !operation.description?.trim()),
  'operation without a tag that is declared': (document) => {
    const declared = new Set((document.tags ?? []).map(({ name }) => name));
    return placesWhere(
      operations(document),
      ({ operation: { tags = [] } }) => tags.length === 0 || tags.some((tag) => !declared.has(tag)),
    );
  },
  'path parameter that is not declared': (document) =>
    placesWhere(operations(document), ({ path, operation: { parameters = [] } }) => {
      const used = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      return used.sort().join() !== declared.sort().join();
    }),
  'keyed operation without 401 and 429': (document) =>
    placesWhere(
      operations(document),
      ({ operation: { security = [], responses } }) =>
        security.length > 0 && !(responses[401] && responses[429]),
    ),
  'error that is no problem document': (document) =>
    placesWhere(
      answers(document),
      ({ status, answer }) => Number(status) >= 400 && !isProblem(document, answer),
    ),
  'body without a schema': (document) => [
    ...placesWhere(bodies(document), ({ media }) => !media.schema || saysNothing(media.schema)),
    ...placesWhere(namedSchemas(document), ({ schema }) => saysNothing(schema)),
  ],
  'schema with members that has no name': (document) =>
    [
      ...schemasOf(document).filter(({ at }) => !/ [45]\d\d$/.test(at)),
      ...namedSchemas(document).map(({ at, schema }) => ({ at, schema, isNamed: true })),
    ].flatMap(({ at, schema, isNamed = false }) =>
      subschemas(schema).flatMap((each) =>
        each.properties !== undefined && !(isNamed && each === schema) && !narrows(each)
          ? [`${at}: {${Object.keys(each.properties).join(', ')}}`]
          : [],
      ),
    ),
  'property or parameter without a description': (document) =>
    describedPlaces(document).flatMap(({ at, schema, description }) =>
      (description ?? schema.description ?? '').trim() === '' ? [`${at} (${HOW_TO_DESCRIBE})`] : [],
    ),
  'value without an example': (document) =>
    describedPlaces(document).flatMap(({ at, schema }) =>
      schema.examples === undefined && needsExample(schema) ? [`${at} (${HOW_TO_DESCRIBE})`] : [],
    ),
  'number without a unit': (document) =>
    describedPlaces(document).flatMap(({ at, name, schema }) =>
      isNumber(schema) && !IS_ID.test(name) && schema['x-unit'] === undefined
        ? [`${at} (${HOW_TO_DESCRIBE})`]
        : [],
    ),
  'integer without bounds': (document) =>
    [...schemasOf(document), ...namedSchemas(document)].flatMap(({ at, schema }) =>
      subschemas(schema).flatMap((each) =>
        [each.type].flat().includes('integer') &&
        each.enum === undefined &&
        (each.minimum === undefined || each.maximum === undefined)
          ? [`${at}: ${JSON.stringify(each)}`]
          : [],
      ),
    ),
  'array without a type of its items': (document) =>
    [...schemasOf(document), ...namedSchemas(document)].flatMap(({ at, schema }) =>
      subschemas(schema).flatMap((each) =>
        [each.type].flat().includes('array') && each.items === undefined ? [at] : [],
      ),
    ),
  'example of a value that its schema does not take': (document) =>
    describedPlaces(document).flatMap(({ at, schema: { examples = [], ...schema } }) => {
      const { validate } = compiled(document, schema);
      return examples
        .filter((example) => validate !== null && !validate(example))
        .map((example) => `${at}: ${JSON.stringify(example)}`);
    }),
  'operation without an example of what it takes or answers (npm run examples, then build)': (document) => {
    const shown = new Set(bodies(document).flatMap(({ way, media }) => ('example' in media ? [way] : [])));
    return placesWhere(bodies(document), ({ id, way }) => !shown.has(way) && !WITHOUT_EXAMPLE.has(id));
  },
  'example that its schema does not take (npm run examples, then build)': (document) =>
    bodies(document).flatMap(({ at, media }) => {
      if (!('example' in media) || !media.schema) return [];
      const { validate } = compiled(document, media.schema);
      if (validate === null || validate(media.example)) return [];
      return [
        `${at}: ${validate.errors.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')}`,
      ];
    }),
};

/** The names of the rules, so that a spec can show that each of them fails. */
export const ruleNames = Object.keys(rules);

/** The faults of a document by some of the rules, one per line. */
export function lint(document, among = ruleNames) {
  return Object.entries(rules)
    .filter(([name]) => among.includes(name))
    .flatMap(([name, rule]) => rule(document).map((fault) => `${name}: ${fault}`));
}

function placesWhere(places, isFaulty) {
  return places.filter(isFaulty).map(({ at }) => at);
}

function newAjv() {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  return ajv;
}

/** The compiled schema of a document with its references, or the error. */
function compiled(document, schema) {
  const text = JSON.stringify(schema);
  const referring = text.includes('"$ref":"#/');
  const known =
    compiledAlone.get(text) ?? (referring ? compileWithin(document, text) : compileWith(ajv, text));
  if (!referring) compiledAlone.set(text, known);
  return known;
}

function compileWithin(document, text) {
  let ajv = compilers.get(document);
  if (ajv === undefined) {
    ajv = newAjv();
    // an error in one schema must not hide others: each is compiled when it is needed
    ajv.addSchema({ components: { schemas: document.components?.schemas ?? {} } }, 'document:');
    compilers.set(document, ajv);
  }
  return compileWith(ajv, text.replaceAll('"$ref":"#/', '"$ref":"document:#/'));
}

function compileWith(ajv, text) {
  try {
    return { validate: ajv.compile(JSON.parse(text)), fault: null };
  } catch (error) {
    return { validate: null, fault: error.message };
  }
}

/** Operations of the API, and requests to addresses of callers. */
function operations(document) {
  return [...Object.entries(document.paths ?? {}), ...Object.entries(document.webhooks ?? {})].flatMap(
    ([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => ({
        at: `${method.toUpperCase()} ${path}`,
        path,
        operation: item[method],
      })),
  );
}

/** Every answer, including those in components. */
function answers(document) {
  return operations(document).flatMap(({ at, operation }) =>
    Object.entries(operation.responses ?? {}).map(([status, answer]) => ({
      at: `${at} ${status}`,
      id: operation.operationId,
      status,
      answer: answer.$ref === undefined ? answer : (resolved(document, answer.$ref) ?? {}),
    })),
  );
}

/** JSON request bodies, and JSON bodies of success answers. */
function bodies(document) {
  const sent = operations(document).flatMap(({ at, operation }) => {
    const media = operation.requestBody?.content?.['application/json'];
    return media === undefined
      ? []
      : [{ at: `${at} request`, id: operation.operationId, way: `${at} takes`, media }];
  });
  const answered = answers(document).flatMap(({ at, id, answer, status }) => {
    const media = answer.content?.['application/json'];
    return media === undefined || Number(status) >= 300 ? [] : [{ at, id, way: `${id} answers`, media }];
  });
  return [...sent, ...answered];
}

function schemasOf(document) {
  const ofBodies = answers(document).flatMap(({ at, answer }) =>
    Object.values(answer.content ?? {}).map(({ schema }) => ({ at, schema: schema ?? {} })),
  );
  const ofParameters = operations(document).flatMap(({ at, operation }) =>
    (operation.parameters ?? []).map(({ name, schema }) => ({ at: `${at} ${name}`, schema: schema ?? {} })),
  );
  return [
    ...ofBodies,
    ...ofParameters,
    ...bodies(document).map(({ at, media }) => ({ at, schema: media.schema ?? {} })),
  ];
}

/** The schemas with a name. */
function namedSchemas(document) {
  return Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => ({ at: name, schema }));
}

/** Whether a schema only restricts members that are declared beside it, and required here. */
function narrows({ type, required = [], properties }) {
  return type === undefined && Object.keys(properties).every((name) => required.includes(name));
}

/** A schema and all schemas within it. */
function subschemas(schema) {
  if (typeof schema !== 'object' || schema === null) return [];
  const below = ['items', 'anyOf', 'oneOf', 'allOf', 'prefixItems', 'additionalProperties'].flatMap(
    (keyword) => [schema[keyword] ?? []].flat(),
  );
  return [schema, ...[...below, ...Object.values(schema.properties ?? {})].flatMap(subschemas)];
}

/** Every named value: members of schemas, extension members of problems, parameters. */
function describedPlaces(document) {
  const members = namedSchemas(document).flatMap(({ at, schema }) => membersOf(at, schema));
  const problems = answers(document)
    .filter(({ status }) => Number(status) >= 400)
    .flatMap(({ at, answer }) =>
      Object.values(answer.content ?? {}).flatMap(({ schema = {} }) =>
        membersOf(at, schema).filter(({ name }) => !PROBLEM_MEMBERS.includes(name)),
      ),
    );
  const parameters = operations(document).flatMap(({ at, operation }) =>
    (operation.parameters ?? []).map(({ name, schema = {}, description }) => ({
      at: `${at} ?${name}`,
      name,
      schema,
      description,
    })),
  );
  return [...members, ...problems, ...parameters];
}

function membersOf(at, schema) {
  return Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    at: `${at}.${name}`,
    name,
    schema: member,
  }));
}

/** Whether neither the schema nor its reference shows the values. */
function needsExample(schema) {
  return !subschemas(schema).some(
    (each) =>
      each.$ref !== undefined ||
      each.enum !== undefined ||
      each.const !== undefined ||
      each.type === 'boolean' ||
      each.not,
  );
}

/** Numbers, or null. */
function isNumber(schema) {
  const types = subschemas(schema).flatMap(({ type, enum: values }) =>
    values === undefined ? (type ?? []) : ['listed'],
  );
  return (
    types.some((type) => type === 'integer' || type === 'number') &&
    types.every((type) => ['integer', 'number', 'null', 'array'].includes(type))
  );
}

function isProblem(document, answer) {
  const types = Object.entries(answer.content ?? {});
  return (
    types.length === 1 &&
    types.every(
      ([type, { schema }]) =>
        type === 'application/problem+json' &&
        (schema?.allOf ?? [])
          .map(({ $ref }) => ($ref === undefined ? undefined : resolved(document, $ref)))
          .some((base) =>
            PROBLEM_MEMBERS.every((member) => base?.required?.includes(member) && base.properties?.[member]),
          ),
    )
  );
}

/** Whether a schema, or one of a property in it, accepts any value. */
function saysNothing(schema) {
  if (typeof schema !== 'object' || schema === null) return false;
  const asked = Object.keys(schema).filter(
    (keyword) => !['description', 'title', 'default'].includes(keyword),
  );
  return (
    asked.length === 0 || [...Object.values(schema.properties ?? {}), ...ownItems(schema)].some(saysNothing)
  );
}

/** The schema of an array's entries; in any JSON they may be anything. */
function ownItems({ items, type }) {
  return items === undefined || Array.isArray(type) ? [] : [items];
}

function references(node) {
  if (Array.isArray(node)) return node.flatMap(references);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    // the content of an example is data
    key === 'example' ? [] : key === '$ref' && typeof value === 'string' ? [value] : references(value),
  );
}

function resolved(document, reference) {
  const steps = reference.replace(/^#\/?/, '').split('/');
  return steps.reduce((node, step) => node?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

/** The places where `items` is a boolean. */
function booleanItems(value, at) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'items' && typeof member === 'boolean'
      ? [`${at}/${name}`]
      : booleanItems(member, `${at}/${name}`),
  );
}
