// What must hold for an OpenAPI document of ours: each rule takes the document and gives what is wrong with it.
// openapi-3.1.schema.json is https://spec.openapis.org/oas/3.1/schema/2026-08-03 (Apache-2.0), as published.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const official = JSON.parse(readFileSync(new URL('./openapi-3.1.schema.json', import.meta.url), 'utf8'));
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];
const PROBLEM_MEMBERS = ['type', 'title', 'status', 'detail', 'instance'];

/** Documents with an answer that is one itself: an example of it would repeat the whole. */
const WITHOUT_EXAMPLE = new Set(['get_openapi_json']);

const ajv = newAjv();
const isOpenApi = newAjv().compile(official);

const rules = {
  'is not OpenAPI 3.1': (document) => {
    const validate = isOpenApi;
    validate(document);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  },
  'schema that cannot be compiled': (document) =>
    schemasOf(document).flatMap(({ at, schema }) => {
      try {
        ajv.compile(schema);
        return [];
      } catch (error) {
        return [`${at}: ${error.message}`];
      }
    }),
  'reference to nothing': (document) =>
    references(document).filter((reference) => resolved(document, reference) === undefined),
  'component that nobody uses': (document) => {
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
    return operations(document)
      .filter(
        ({ operation: { operationId } }) => !operationId || ids.filter((id) => id === operationId).length > 1,
      )
      .map(({ at }) => at);
  },
  'operation without a summary': (document) =>
    operations(document).flatMap(({ at, operation }) => (operation.summary?.trim() ? [] : [at])),
  'operation without a tag that is declared': (document) => {
    const declared = new Set((document.tags ?? []).map(({ name }) => name));
    return operations(document)
      .filter(({ operation: { tags = [] } }) => tags.length === 0 || tags.some((tag) => !declared.has(tag)))
      .map(({ at }) => at);
  },
  'path parameter that is not declared': (document) =>
    operations(document).flatMap(({ at, path, operation }) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      return inPath.join() ===
        declared
          .map(({ name }) => name)
          .sort()
          .join()
        ? []
        : [at];
    }),
  'keyed operation without 401 and 429': (document) =>
    operations(document)
      .filter(
        ({ operation: { security = [], responses } }) =>
          security.length > 0 && !(responses[401] && responses[429]),
      )
      .map(({ at }) => at),
  'error that is no problem document': (document) =>
    answers(document)
      .filter(({ status, answer }) => Number(status) >= 400 && !isProblem(answer))
      .map(({ at }) => at),
  'body of which the schema says nothing': (document) =>
    bodies(document)
      .filter(({ media }) => !media.schema || saysNothing(media.schema))
      .map(({ at }) => at),
  'operation without an example of what it takes or answers': (document) => {
    const shown = new Set(bodies(document).flatMap(({ way, media }) => ('example' in media ? [way] : [])));
    return bodies(document)
      .filter(({ id, way }) => !shown.has(way) && !WITHOUT_EXAMPLE.has(id))
      .map(({ at }) => at);
  },
  'example that its schema does not take': (document) =>
    bodies(document).flatMap(({ at, media }) => {
      if (!('example' in media) || !media.schema) return [];
      const validate = compiled(media.schema);
      if (validate === null || validate(media.example)) return [];
      return [
        `${at}: ${validate.errors.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')}`,
      ];
    }),
};

/** The names of the rules, for whoever shows that each of them bites. */
export const ruleNames = Object.keys(rules);

/** What is wrong with a document, a line each; none when nothing is. */
export function lint(document) {
  return Object.entries(rules).flatMap(([name, rule]) => rule(document).map((fault) => `${name}: ${fault}`));
}

function newAjv() {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  return ajv;
}

function compiled(schema) {
  try {
    return ajv.compile(schema);
  } catch {
    return null;
  }
}

function operations(document) {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({
      at: `${method.toUpperCase()} ${path}`,
      path,
      operation: item[method],
    })),
  );
}

/** Every answer, those in components too. */
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

/** JSON that is sent, and JSON that a success answers. */
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

function isProblem(answer) {
  const types = Object.entries(answer.content ?? {});
  return (
    types.length === 1 &&
    types.every(
      ([type, { schema }]) =>
        type === 'application/problem+json' &&
        PROBLEM_MEMBERS.every((member) => schema?.required?.includes(member) && schema.properties?.[member]),
    )
  );
}

/** Whether a schema, or one of a property in it, takes whatever comes. */
function saysNothing(schema) {
  if (typeof schema !== 'object' || schema === null) return false;
  const asked = Object.keys(schema).filter(
    (keyword) => !['description', 'title', 'default'].includes(keyword),
  );
  return (
    asked.length === 0 ||
    [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])].some(saysNothing)
  );
}

function references(node) {
  if (Array.isArray(node)) return node.flatMap(references);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    // what an example shows is data
    key === 'example' ? [] : key === '$ref' && typeof value === 'string' ? [value] : references(value),
  );
}

function resolved(document, reference) {
  const steps = reference.replace(/^#\/?/, '').split('/');
  return steps.reduce((node, step) => node?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}
