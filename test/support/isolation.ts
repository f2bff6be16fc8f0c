import { apiDocument, inlined, type Schema } from './declared-answers.js';
import {
  idPlaces,
  IDS_IN_OPEN_OBJECTS,
  isIdName,
  isShared,
  ownedId,
  pathAt,
  placeNamed,
  validBody,
  type OwnedIds,
  type WalkedRoute,
} from './every-route.js';

/** One request in which one id belongs to another workspace. */
export type ForeignRequest = {
  /** `GET /api/v2/contents?company_id` or `POST /api/v2/lists persona_ids`. */
  readonly title: string;
  readonly route: string;
  readonly body: object | undefined;
  /** The field or parameter that carries the id; null for one of the path. */
  readonly field: string | null;
};

/** The ids of the caller, and in one place the id of `strange`. */
type Ids = { readonly own: OwnedIds; readonly strange: (place: string) => number };

/**
 * Every request to a route in which an id could refer to an object of another workspace: each id of its path, each id
 * in its query, each field of its body that carries ids. Throws for an id whose object the tests do not know.
 */
export function foreignRequests(walked: WalkedRoute, { own, strange }: Ids): readonly ForeignRequest[] {
  const { method, path } = walked;
  const declared = `${method} ${path}`;
  const ownPath = pathAt(path, (place) => ownedId(own, place));
  const body = validBody(walked, own);
  const inPath = idPlaces(path)
    .filter((foreign) => !isShared(foreign))
    .map((foreign) => ({
      title: `${declared} by ${foreign}`,
      route: `${method} ${pathAt(path, (place) => (place === foreign ? strange : ownedOf(own))(place))}`,
      body,
      field: null,
    }));
  const inQuery = queryIds(walked).map((name) => ({
    title: `${declared}?${name}`,
    route: `${method} ${ownPath}?${name}=${strange(placeNamed(name, declared))}`,
    body,
    field: name,
  }));
  const inBody = bodyIds(walked).map((field) => {
    const name = field.replace(/.*\./, '');
    const id = strange(placeNamed(name, declared));
    return {
      title: `${declared} ${field}`,
      route: `${method} ${ownPath}`,
      body: withMember(withoutAlternative(body, field), field.split('.'), name.endsWith('ids') ? [id] : id),
      field,
    };
  });
  return [...inPath, ...inQuery, ...inBody];
}

/** Fields of which a request has exactly one, by the one with the foreign id. */
const ALTERNATIVES: { readonly [field: string]: string } = {
  signal_setup_id: 'agent_id',
  agent_id: 'signal_setup_id',
};

function withoutAlternative(body: object | undefined, field: string): object {
  const { [ALTERNATIVES[field] ?? '']: _alternative, ...others } = { ...body } as Record<string, unknown>;
  return others;
}

const ownedOf =
  (own: OwnedIds) =>
  (place: string): number =>
    ownedId(own, place);

const operationOf = ({ method, path }: WalkedRoute) => {
  const operation = apiDocument().paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not in the document`);
  return operation;
};

/** Ids in the query that refer to owned objects. */
function queryIds(walked: WalkedRoute): readonly string[] {
  return operationOf(walked)
    .parameters.filter((parameter) => parameter.in === 'query' && isIdName(parameter.name))
    .map(({ name }) => name)
    .filter((name) => !isShared(placeNamed(name, walked.path)));
}

/** Fields of the body with ids of owned objects: with dots for nesting, 0 is the first entry. */
function bodyIds(walked: WalkedRoute): readonly string[] {
  const declared = `${walked.method} ${walked.path}`;
  const schema = operationOf(walked).requestBody?.content['application/json'].schema;
  const inOpenObjects = IDS_IN_OPEN_OBJECTS[declared];
  const found = schema === undefined ? [] : idFields(inlined(schema), '');
  const open = found.find((field) => field.endsWith('.*'));
  if (open !== undefined && inOpenObjects === undefined)
    throw new Error(`${declared}: IDS_IN_OPEN_OBJECTS does not say what ids ${open} has`);
  return [...found.filter((field) => !field.endsWith('.*')), ...(inOpenObjects ?? [])].filter(
    (field) => !isShared(placeNamed(field.replace(/.*\./, ''), declared)),
  );
}

function idFields(schema: Schema, at: string): readonly string[] {
  const { properties, items, type } = schema;
  if (isSchema(items)) return idFields(items, `${at}0.`);
  if (isSchema(properties)) {
    return Object.entries(properties).flatMap(([name, each]) => {
      if (isIdName(name)) return [`${at}${name}`];
      return isSchema(each) ? idFields(each, `${at}${name}.`) : [];
    });
  }
  const isOpen = type === 'object' || (Array.isArray(type) && type.includes('object'));
  return isOpen && schema['additionalProperties'] !== false ? [`${at}*`] : [];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of a body with a value at a path; missing parents are created. */
function withMember(body: unknown, [step, ...rest]: readonly string[], value: unknown): object {
  if (step === undefined) throw new Error('no path');
  const copy: Record<string, unknown> | unknown[] =
    step === '0' ? [...(Array.isArray(body) ? body : [])] : { ...(isSchema(body) ? body : {}) };
  const below = Reflect.get(copy, step);
  Reflect.set(copy, step, rest.length === 0 ? value : withMember(below, rest, value));
  return copy;
}

/** Routes whose answer is rows with ids: they must list only the caller's own. */
export function collections(routes: readonly WalkedRoute[]): readonly WalkedRoute[] {
  return routes.filter((walked) => {
    // A run is identified by the id for polling.
    const rows = ['id', 'signal_request_id'].map((name) =>
      memberSchema(successSchema(walked), ['data', 'items', name]),
    );
    return rows.some((row) => row !== null) && !isShared(walked.path);
  });
}

/** Routes that answer a cursor, with its place in the answer: in `meta`. */
export function cursorRoutes(routes: readonly WalkedRoute[]): readonly WalkedRoute[] {
  return routes.filter((walked) => {
    const schema = successSchema(walked);
    const v2 = memberSchema(schema, ['meta', 'next_cursor']);
    return v2 !== null || memberSchema(schema, ['meta', 'cursor']) !== null;
  });
}

function successSchema(walked: WalkedRoute): Schema | null {
  const { responses } = operationOf(walked);
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  if (success === undefined || '$ref' in success) return null;
  const schema = success.content?.['application/json']?.schema;
  return schema === undefined ? null : inlined(schema);
}

function memberSchema(schema: Schema | null, [name, ...rest]: readonly string[]): Schema | null {
  if (schema === null || name === undefined) return schema;
  const below =
    name === 'items' ? schema['items'] : isSchema(schema['properties']) ? schema['properties'][name] : null;
  return isSchema(below) ? memberSchema(below, rest) : null;
}
