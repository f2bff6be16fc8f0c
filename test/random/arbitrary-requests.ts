import * as fc from 'fast-check';
import { inlined, type ApiDocument, type Schema } from '#test/support/declared-answers.js';
import {
  isIdName,
  ownedId,
  pathAt,
  placeNamed,
  validBody,
  type OwnedIds,
  type WalkedRoute,
} from '#test/support/every-route.js';
import { hostileValue, mutatedValue, validValue, type IdsOf } from './arbitrary-values.js';

/** A request as sent; `body` is text or, if it is not UTF-8, its bytes as latin1. */
export type RandomRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | null;
  readonly encoding: 'utf8' | 'latin1';
};

/** The owner of the ids in the requests, and the key of the caller. */
export type Callers = {
  readonly own: OwnedIds;
  readonly foreign: OwnedIds;
  readonly apiKey: string;
  /** Objects that earlier requests created, by place, the newest last: only these are deleted. */
  readonly created: ReadonlyMap<string, readonly number[]>;
};

const NEWEST = 5;

const NEVER = 9_999_999;
const WRONG_PATH_IDS = ['abc', '0', '-1', '1.5', '01', '1e3', '9'.repeat(17), '9'.repeat(400), '%00', '%ZZ'];
const MORE_WRONG_PATH_IDS = [
  '%F0%9F%92%A9',
  '%ED%A0%80',
  '..%2f..',
  '1%20',
  '__proto__',
  'constructor',
  "'--",
];
const BROKEN_BODIES = ['{', '{"a":}', '[', 'null', '5', '"x"', '[]', ' ', '{"a":1}{"b":2}', '\ufeff{}'];
const DEEP = ['['.repeat(300) + ']'.repeat(300), '{"a":'.repeat(300) + '1' + '}'.repeat(300)];

/** Requests to every operation of the document, all equally likely: valid, mutated and random ones. */
export function arbitraryRequests(
  document: ApiDocument,
  routes: readonly WalkedRoute[],
  callers: Callers,
): fc.Arbitrary<RandomRequest> {
  return fc.oneof(...routes.map((route) => requestsTo(document, route, callers)));
}

function requestsTo(
  document: ApiDocument,
  route: WalkedRoute,
  { own, foreign, apiKey, created }: Callers,
): fc.Arbitrary<RandomRequest> {
  const { method, path } = route;
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not in the document`);
  const ownIds = (place: string): fc.Arbitrary<number> =>
    fc.nat(2 * NEWEST - 1).map((pick) => {
      const newest = created.get(place)?.at(-1 - (pick % NEWEST));
      if (method === 'DELETE') return newest ?? NEVER;
      return pick < NEWEST ? ownedId(own, place) : (newest ?? ownedId(own, place));
    });
  const idsAt = (place: string): fc.Arbitrary<number> =>
    fc.oneof(
      { weight: 6, arbitrary: ownIds(place) },
      { weight: 1, arbitrary: fc.constant(ownedId(foreign, place)) },
      { weight: 1, arbitrary: fc.constantFrom(NEVER, Number.MAX_SAFE_INTEGER) },
    );
  const idsOf: IdsOf = (name) => idsAt(placeNamed(name, `${method} ${path}`));
  const schema = operation.requestBody?.content['application/json'].schema;
  return fc
    .record({
      path: paths(path, idsAt),
      query: queries(
        operation.parameters.filter((parameter) => parameter.in === 'query'),
        idsOf,
      ),
      headers: headers(apiKey, method),
      body:
        schema === undefined ? fc.constant(NO_BODY) : bodies(inlined(schema), idsOf, validBody(route, own)),
    })
    .map(({ path: asked, query, headers: sent, body: { text, type, encoding } }) => ({
      method,
      url: `${asked}${query}`,
      headers: text === null ? sent : { ...sent, 'content-type': type },
      body: text,
      encoding,
    }));
}

function paths(path: string, idsAt: (place: string) => fc.Arbitrary<number>): fc.Arbitrary<string> {
  const wrong = fc.constantFrom(...WRONG_PATH_IDS, ...MORE_WRONG_PATH_IDS);
  const places: string[] = [];
  pathAt(path, (place) => places.push(place));
  const ids = places.map((place) => [
    place,
    fc.oneof(
      { weight: 6, arbitrary: idsAt(place).map(String) },
      { weight: 1, arbitrary: wrong },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map(encoded) },
    ),
  ]);
  const kinds = fc.constantFrom('company', 'company', 'company', 'company', 'profile', 'toString');
  return fc
    .tuple(fc.record<Record<string, string>>(Object.fromEntries(ids)), kinds)
    .map(([chosen, kind]) => pathAt(path, (place) => chosen[place], kind));
}

function queries(
  parameters: readonly { readonly name: string; readonly schema: Schema }[],
  idsOf: IdsOf,
): fc.Arbitrary<string> {
  const junk = fc.tuple(
    fc.constantFrom(
      'x',
      'page',
      'limit',
      'cursor',
      '__proto__',
      'page[]',
      'a.b',
      '%F0%9F%92%A9',
      'workspace_id',
    ),
    fc.oneof(fc.constantFrom('', '0', '%00', '%ED%A0%80', '%', 'x'.repeat(3_000)), fc.string().map(encoded)),
  );
  const declared = parameters.map(({ name, schema }) =>
    fc.tuple(
      fc.constant(encoded(name)),
      fc
        .oneof(
          { weight: 4, arbitrary: validValue(schema, idsOf, isIdName(name) ? name : '') },
          { weight: 1, arbitrary: hostileValue.filter((value) => JSON.stringify(value).length < 3_000) },
        )
        .map((value) => encoded(typeof value === 'string' ? value : JSON.stringify(value))),
    ),
  );
  const pair = fc.oneof(
    {
      weight: declared.length === 0 ? 0 : 5,
      arbitrary: declared.length === 0 ? junk : fc.oneof(...declared),
    },
    { weight: 1, arbitrary: junk },
  );
  return fc
    .oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(pair, { minLength: 1, maxLength: 3 }) },
    )
    .map((pairs) =>
      pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`,
    );
}

/** Percent-encoded; a lone surrogate, which has no encoding, becomes U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function headers(apiKey: string, method: string): fc.Arbitrary<{ readonly [name: string]: string }> {
  const rarely = <Value>(value: fc.Arbitrary<Value>) =>
    fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
  const usual = {
    authorization: fc.oneof(
      { weight: 30, arbitrary: fc.constant(`Bearer ${apiKey}`) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('Bearer', 'Bearer x', 'Basic eDp5', `bearer  ${apiKey}`, apiKey),
      },
    ),
    accept: rarely(fc.constantFrom('*/*', 'text/html', 'application/xml', ';;;')),
    traceparent: rarely(fc.constantFrom('00-0-0-0', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)),
    'x-junk': rarely(fc.constantFrom('x'.repeat(4_000), '\u00ff', ' ')),
    'x-forwarded-host': rarely(fc.constant('evil.example.test')),
  };
  const keys = fc.oneof(fc.uuid(), fc.constantFrom('a', 'x'.repeat(255), 'x'.repeat(256), ' ', '\u00e9'));
  return fc
    .record({ ...usual, 'idempotency-key': method === 'POST' ? rarely(keys) : fc.constant(undefined) })
    .map((chosen) =>
      Object.fromEntries(
        Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
    );
}

type Body = { readonly text: string | null; readonly type: string; readonly encoding: 'utf8' | 'latin1' };
const JSON_TYPE = 'application/json';
const NO_BODY: Body = { text: null, type: JSON_TYPE, encoding: 'utf8' };

function bodies(schema: Schema, idsOf: IdsOf, known: object | undefined): fc.Arbitrary<Body> {
  const valid = fc.oneof(fc.constant(known ?? {}), validValue(schema, idsOf));
  const asJson = (value: unknown): Body => ({ ...NO_BODY, text: JSON.stringify(value) });
  return fc.oneof(
    { weight: 8, arbitrary: valid.map(asJson) },
    { weight: 8, arbitrary: mutatedValue(valid).map(asJson) },
    { weight: 1, arbitrary: hostileValue.map(asJson) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...BROKEN_BODIES, ...DEEP).map((text) => ({ ...NO_BODY, text })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          'text/plain',
          'application/xml',
          'application/json; charset=latin1',
          'application/x+json',
          '',
        )
        .map((type) => ({ ...asJson(known ?? {}), type })),
    },
    {
      weight: 1,
      arbitrary: fc.constant<Body>({ text: '{"name":"\u00ff\u00fe"}', type: JSON_TYPE, encoding: 'latin1' }),
    },
    { weight: 1, arbitrary: fc.constant(NO_BODY) },
  );
}
