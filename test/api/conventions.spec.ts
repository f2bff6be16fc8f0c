import { apiDocument, inlined, type Schema } from '#test/support/declared-answers.js';
import {
  expectProblem,
  furnish,
  keyedRoutes,
  ownPath,
  V2_SLUGS,
  V3_TITLES,
  validBody,
} from '#test/support/every-route.js';
import { keywordAgent } from '#test/support/observed-network.js';
import { isRecord } from '#test/support/records.js';
import { KEYWORD_TEMPLATE, templateIdsOf } from '#test/support/signal-runs.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { startTestService, type TestWorkspace } from '#test/support/service.js';

type Said = {
  readonly place: string;
  readonly path: string;
  readonly status: number;
  readonly schema: Schema;
};

/** Every declared answer: its media type and its schema. */
function declaredAnswers(mediaType: string): readonly Said[] {
  const { paths, components } = apiDocument();
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, answer]) => {
        const found = '$ref' in answer ? components.responses[answer.$ref.replace(/^.*\//, '')] : answer;
        const schema = found?.content?.[mediaType]?.schema;
        const place = `${method} ${path} ${status}`;
        return schema === undefined ? [] : [{ place, path, status: Number(status), schema: inlined(schema) }];
      }),
    ),
  );
}

type Member = { readonly place: string; readonly name: string; readonly schema: Schema };

/** Every member of every object in a schema, at any depth. */
function membersOf(place: string, schema: unknown): readonly Member[] {
  if (!isRecord(schema)) return [];
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => {
    const branches = schema[keyword];
    return Array.isArray(branches) ? branches.flatMap((branch) => membersOf(place, branch)) : [];
  });
  return [
    ...properties.flatMap(([name, member]) => [
      ...(isRecord(member) ? [{ place: `${place} ${name}`, name, schema: member }] : []),
      ...membersOf(`${place} ${name}`, member),
    ]),
    ...parts,
    ...membersOf(place, schema['items']),
  ];
}

/** The schema of a value that is not null. */
const unlessNull = (schema: unknown): unknown => {
  const branches = isRecord(schema) && Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema];
  const rest = branches.filter((branch) => !isRecord(branch) || branch['type'] !== 'null');
  return rest.length === 1 ? rest[0] : schema;
};

/** The objects in a schema, at any depth. */
function objectsOf(place: string, schema: Schema): readonly { place: string; schema: Schema }[] {
  const own = isRecord(schema['properties']) ? [{ place, schema }] : [];
  return [...own, ...membersOf(place, schema).flatMap((member) => partsOf(member.place, member.schema))];
}
function partsOf(place: string, schema: unknown): readonly { place: string; schema: Schema }[] {
  if (!isRecord(schema)) return [];
  const parts = [schema['items'], ...(Array.isArray(schema['anyOf']) ? schema['anyOf'] : [])];
  return [
    ...(isRecord(schema['properties']) ? [{ place, schema }] : []),
    ...parts.flatMap((part) => partsOf(place, part)),
  ];
}

/** Values of a JSON document with their paths, including the objects that the document leaves open. */
function valuesOf(value: unknown, name = ''): readonly { name: string; value: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((entry) => valuesOf(entry, name));
  if (!isRecord(value)) return [{ name, value }];
  return Object.entries(value).flatMap(([member, inner]) => valuesOf(inner, member));
}

/** In the specification a schedule has only a cadence: a limit is present only if there is one (QUO-02). */
const isLimitOfSchedule = (place: string, name: string): boolean =>
  place.endsWith(' schedule') && name === 'max_credits';

const SUBMITTED = 'post /api/v2/top-account-list/accounts 202';
/** The one member that may be left out (TAL-09). */
const OMITTED_WHEN_EMPTY = `${SUBMITTED} warnings`;
/** A statement shows lots, and an entry the credits of an expiry, only if a ledger has lots (LOT-04). */
const isOfLots = (place: string, name: string): boolean =>
  (place.startsWith('get /api/v3/credits/statement 200') &&
    !/ lots\b/.test(place) &&
    ['expired', 'lots', 'terms'].includes(name)) ||
  (place === 'get /api/v3/credits/movements/{id} 200 data entries' && name === 'credits');
/** A persona shows the time only while it is archived. */
const isWhileArchived = (place: string, name: string): boolean =>
  place.includes('persona') && name === 'archived_at';
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const successes = declaredAnswers('application/json').filter(
  ({ path }) => path.includes('/workspace-leads') || path.startsWith('/api/'),
);
const problems = declaredAnswers('application/problem+json');

describe('the conventions of every answer', () => {
  const answers: { readonly route: string; readonly body: unknown }[] = [];
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const workspace = sharedWorkspace(service);

  beforeAll(async () => {
    const own = await furnish(service, workspace);
    for (const route of keyedRoutes) {
      const reads = route.method === 'GET' || /\/(query|count)$/.test(route.path);
      if (!reads) continue;
      const asked = `${route.method} ${ownPath(own, route.path)}`;
      const { status, body } = await workspace.call(asked, validBody(route, own));
      expect([asked, status]).toEqual([asked, 200]);
      answers.push({ route: asked, body });
    }
  });

  it('are collected', () => {
    expect(successes.length).toBeGreaterThan(40);
    expect(problems.length).toBeGreaterThan(200);
    expect(answers.length).toBeGreaterThan(25);
  });

  it('ERR-04 ERR-05 every problem of v3 is about:blank with a known title of its status', () => {
    const ofV3 = problems.filter(({ path }) => path.startsWith('/api/v3'));
    expect(ofV3.length).toBeGreaterThan(80);
    for (const { place, status, schema } of ofV3) {
      const { type, title } = schema['properties'] as { readonly [name: string]: Schema };
      expect([place, type]).toEqual([place, { const: 'about:blank' }]);
      for (const each of title?.['enum'] as readonly string[])
        expect([place, V3_TITLES[status]]).toEqual([place, expect.arrayContaining([each])]);
    }
  });

  it('ERR-06 every problem of v2 links to the page of a slug that belongs to its status and title', () => {
    const ofV2 = problems.filter(({ path }) => !path.startsWith('/api/v3'));
    expect(ofV2.length).toBeGreaterThan(120);
    for (const { place, status, schema } of ofV2) {
      const { type, title } = schema['properties'] as { readonly [name: string]: Schema };
      const slugs = /^\/errors\/\(([a-z|-]+)\)\$$/.exec(String(type?.['pattern']))?.[1]?.split('|') ?? [];
      expect([place, slugs]).not.toEqual([place, []]);
      const known = V2_SLUGS.filter(([slug]) => slugs.includes(slug));
      expect([place, known.map(([slug]) => slug).sort()]).toEqual([place, [...slugs].sort()]);
      expect([place, known.map(([, of]) => of)]).toEqual([place, slugs.map(() => status)]);
      expect([place, title?.['enum']]).toEqual([place, known.map(([, , of]) => of).sort()]);
    }
  });

  it('ERR-04 ERR-05 ERR-06 the problems in the specification have exactly these names', async () => {
    const bare = await service.workspace();
    await bare.persona();
    const nobody = await service.workspace();
    const templates = await templateIdsOf(bare);
    const aboutKeywords = (keywords: readonly string[], key = KEYWORD_TEMPLATE) => ({
      signal_template_id: templates.get(key),
      parameters: { tracking_keywords: keywords },
    });
    for (const [asker, route, body, status, title] of [
      [bare, 'GET /api/v3/signal-setups?page=0', undefined, 400, 'Invalid query parameters'],
      [bare, 'GET /api/v3/signal-setups/999999', undefined, 404, 'Not Found'],
      [bare, 'POST /api/v3/signal-setups', aboutKeywords([]), 422, 'Unprocessable Entity'],
      [nobody, 'POST /api/v3/signal-setups', aboutKeywords(['a']), 422, 'Persona incomplete'],
      [
        bare,
        'POST /api/v3/signal-setups',
        aboutKeywords(['a'], 'keywords-in-top-account-posts'),
        422,
        'Insufficient top accounts',
      ],
    ] as const) {
      const answer = await asker.call(route, body);
      expect(answer.body).toMatchObject({ type: 'about:blank', title, status });
      expectProblem(route, answer);
    }
    await bare.command('workspace.block', { reason: 'test' });
    const id = await keywordAgent(bare, 'a');
    for (const [route, body, status, slug] of [
      ['POST /api/v2/workspace/signal-runs', { agent_id: id }, 403, 'forbidden'],
      ['GET /api/v2/agents/999999', undefined, 404, 'not-found'],
      ['GET /api/v2/lists?page=0', undefined, 400, 'bad-request'],
      ['POST /api/v2/lists', {}, 422, 'unprocessable-entity'],
    ] as const) {
      const answer = await bare.call(route, body);
      expect(answer.body).toMatchObject({ type: `https://docs.example.test/errors/${slug}`, status });
      expectProblem(route, answer);
    }
  });

  it('CONV-01 ids are JSON integers', () => {
    const ids = successes
      .flatMap(({ place, schema }) => membersOf(place, schema))
      // not in the specification: entries of the ledger name commands, requests and actors; the feed and deliveries
      // have ids of events, and a quote is sealed in its id
      .filter(
        ({ place, name }) =>
          /(^|_)ids?$/.test(name) &&
          name !== 'quote_id' &&
          name !== 'event_id' &&
          !place.includes(' entries ') &&
          place !== 'get /api/v3/events 200 data id',
      );
    expect(ids.length).toBeGreaterThan(60);
    for (const { place, name, schema } of ids) {
      const said = unlessNull(schema);
      const entry = name.endsWith('ids') && isRecord(said) ? said['items'] : said;
      expect([place, entry]).toEqual([place, expect.objectContaining({ type: 'integer' })]);
    }
    for (const { route, body } of answers) {
      if (/\/credits\/movements\/|\/api\/v3\/events|\/deliveries/.test(route)) continue;
      for (const { name, value } of valuesOf(body)) {
        if (/(^|_)ids?$/.test(name) && value !== null)
          expect([route, name, Number.isSafeInteger(value)]).toEqual([route, name, true]);
      }
    }
  });

  it('CONV-02 keys of templates and buckets are the same words in every environment', async () => {
    const keysIn = async (asker: TestWorkspace, path: string): Promise<readonly string[]> =>
      (await asker.call(`GET ${path}`)).body.data.map(({ key }: { readonly key: string }) => key);
    const elsewhere = await startTestService();
    try {
      const stranger = await elsewhere.workspace();
      for (const path of [
        '/api/v3/signal-templates?include_coming_soon=true&page_size=100',
        '/api/v3/signal-buckets',
      ]) {
        const keys = await keysIn(workspace, path);
        expect(await keysIn(stranger, path)).toEqual(keys);
        expect(new Set(keys).size).toBe(keys.length);
        for (const key of keys) expect(key).toMatch(/^[a-z]+(-[a-z]+)*$/);
      }
      expect(await keysIn(workspace, '/api/v3/signal-buckets')).toEqual([
        'essential',
        'standard',
        'advanced',
      ]);
    } finally {
      await elsewhere.stop();
    }
  });

  it('CONV-03 timestamps are ISO 8601 in UTC', () => {
    const timestamps = successes
      .flatMap(({ place, schema }) => membersOf(place, schema))
      .filter(({ name }) => /_at$|^(signal|action)_date$|^period_(start|end)$/.test(name));
    expect(timestamps.length).toBeGreaterThan(40);
    for (const { place, schema } of timestamps) {
      const said = unlessNull(schema);
      expect([place, said]).toEqual([
        place,
        expect.objectContaining({ type: 'string', format: 'date-time' }),
      ]);
    }
    let seen = 0;
    for (const { route, body } of answers) {
      for (const { name, value } of valuesOf(body)) {
        if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) continue;
        expect([route, name, value]).toEqual([route, name, expect.stringMatching(TIMESTAMP)]);
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThan(40);
  });

  it('CONV-04 nullable members are always present', () => {
    const objects = successes
      .flatMap(({ place, schema }) => objectsOf(place, schema))
      // not in the specification: a cause has the members of its kind
      .filter(({ place }) => !place.endsWith(' cause'))
      // an agent has those parameters of its type that were set
      .filter(({ place }) => !/^\w+ \/api\/v2\/agents\S* .* parameters( |$)/.test(place))
      // a content request has the inputs of its type
      .filter(({ place }) => !place.endsWith(' inputs'))
      // repeated as sent (TAL-01)
      .filter(({ place }) => place !== `${SUBMITTED} accounts`);
    expect(objects.length).toBeGreaterThan(60);
    for (const { place, schema } of objects) {
      const names = Object.keys(schema['properties'] ?? {}).filter(
        (name) =>
          `${place} ${name}` !== OMITTED_WHEN_EMPTY &&
          !isOfLots(place, name) &&
          !isLimitOfSchedule(place, name) &&
          !isWhileArchived(place, name),
      );
      expect([place, schema['required']]).toEqual([place, names]);
    }
  });

  it('CONV-05 members about the network begin with network_, and the network has no other name', () => {
    const names = new Set(
      successes.flatMap(({ place, schema }) => membersOf(place, schema)).map(({ name }) => name),
    );
    const about = (part: RegExp) => [...names].filter((name) => part.test(name)).sort();
    expect(about(/handle/)).toEqual(['network_handle']);
    expect(about(/headline/)).toEqual(['headline', 'network_headline']);
    expect(about(/url/)).toEqual([
      'avatar_url',
      'company_network_url',
      'logo_url',
      'network_url',
      'photo_url',
      'source_url',
      'url',
    ]);
    expect(JSON.stringify(apiDocument())).not.toMatch(/linked.?in|twitter|xing|facebook/i);
    expect(JSON.stringify(answers)).not.toMatch(/linked.?in|twitter|xing|facebook/i);
  });
});
