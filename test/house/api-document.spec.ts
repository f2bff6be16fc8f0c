import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { apiReference } from '#apps/api/src/reference/reference.js';
import { FEED_TYPES } from '#projections/delivery/event-feed/event-feed.projection.js';
import { apiDocument, expectDescribed, inlined, type Schema } from '#test/support/declared-answers.js';
import { PAYLOADS } from '#signals/domain/runs/payload-facts.js';
import { SIGNAL_TYPES } from '#signals/domain/runs/signal-types.js';
import { problemTypes } from '#http/problem.js';
import { routes } from '#test/support/every-route.js';
import { houseRoot } from './house.js';
import { expectNone } from './expect-none.js';

type DetectionSchema = {
  readonly properties: {
    readonly data: {
      readonly anyOf: readonly { readonly $ref?: string; readonly type?: readonly string[] }[];
    };
  };
};

type Lint = {
  readonly ruleNames: readonly string[];
  readonly lint: (document: unknown, among?: readonly string[]) => readonly string[];
};

const AGENTS = '/api/v2/agents';

/** A breach for every rule: a change of the valid document. */
// the document is changed on purpose where no type would let it
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const breaches: { readonly [rule: string]: (document: any) => void } = {
  'is not OpenAPI 3.1': (document) => (document.openapi = '3.0.3'),
  'schema that cannot be compiled': (document) =>
    (document.paths[AGENTS].get.parameters[0].schema = { type: 'whole number' }),
  'reference to nothing': (document) =>
    (document.paths[AGENTS].get.responses['401'].$ref = '#/components/responses/Nothing'),
  'unused component': (document) =>
    (document.components.headers['X-Unused'] = { schema: { type: 'string' } }),
  'operation without a name of its own': (document) =>
    (document.paths[AGENTS].get.operationId = document.paths[AGENTS].post.operationId),
  'operation whose name is no identifier': (document) =>
    (document.paths[AGENTS].get.operationId = 'get_api_v2_agents'),
  'array whose items are a boolean': (document) =>
    (document.components.schemas.ChangePersonaBodyFields.properties.location.items = true),
  'operation without a summary': (document) => (document.paths[AGENTS].get.summary = ' '),
  'operation without a description': (document) => delete document.paths[AGENTS].get.description,
  'operation without a tag that is declared': (document) => (document.paths[AGENTS].get.tags = ['others']),
  'path parameter that is not declared': (document) =>
    document.paths[`${AGENTS}/{agent_id}`].get.parameters.shift(),
  'keyed operation without 401 and 429': (document) => delete document.paths[AGENTS].get.responses['429'],
  'error that is no problem document': (document) =>
    (document.paths[AGENTS].post.responses['422'].content = { 'application/json': { schema: {} } }),
  'body without a schema': (document) => (document.components.schemas.CreateAgentBody.properties.name = {}),
  'schema with members that has no name': (document) =>
    (document.paths[AGENTS].get.responses['200'].content['application/json'].schema = {
      type: 'object',
      properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Agent' } } },
    }),
  'property or parameter without a description': (document) =>
    delete document.components.schemas.Agent.properties.name.description,
  'value without an example': (document) => delete document.components.schemas.Agent.properties.id.examples,
  'number without a unit': (document) =>
    delete document.components.schemas.Pagination.properties.total['x-unit'],
  'integer without bounds': (document) => delete document.components.schemas.Agent.properties.id.maximum,
  'array without a type of its items': (document) =>
    delete document.components.schemas.ChangePersonaBodyFields.properties.location.items,
  'example of a value that its schema does not take': (document) =>
    (document.components.schemas.Agent.properties.id.examples = [0]),
  'operation without an example of what it takes or answers (npm run examples, then build)': (document) =>
    delete document.paths[AGENTS].get.responses['200'].content['application/json'].example,
  'example that its schema does not take (npm run examples, then build)': (document) =>
    (document.paths[AGENTS].get.responses['200'].content['application/json'].example.data[0].id = '7'),
};

describe('the OpenAPI document', () => {
  let lint: Lint;
  beforeAll(async () => {
    lint = await import(pathToFileURL(join(houseRoot, 'tools/openapi/lint.mjs')).href);
  });

  it('has every route and follows every rule', () => {
    const { paths } = apiDocument();
    expect(Object.values(paths).flatMap((operations) => Object.keys(operations))).toHaveLength(routes.length);
    expect(lint.lint(apiDocument())).toEqual([]);
  });

  it('describes every tag, has it in one group, and lists the guides before all of them', () => {
    const { info, tags, 'x-tagGroups': groups } = JSON.parse(JSON.stringify(apiDocument()));
    const named = groups.flatMap((group: { readonly tags: readonly string[] }) => group.tags);
    expectNone(
      tags.filter((tag: { readonly description?: string }) => tag.description === undefined),
      'describe these first words of paths, after the version, in `GROUPS` of apps/api/src/reference/guides.ts',
    );
    expect(named).toEqual(tags.map(({ name }: { readonly name: string }) => name));
    const headings = [...info.description.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      'First signal in five minutes',
      'Words of v2 and v3',
      'Authentication',
      'Paging',
      'Idempotency',
      'Rate limits',
      'Fields that are not known',
      'Errors',
      'Credits and charging',
      'Events and webhooks',
      'Observations',
    ]);
    for (const slug of Object.keys(problemTypes)) expect(info.description).toContain(`(/errors/${slug})`);
  });

  it('DLV-02 describes every type of event that is delivered, each with an example', () => {
    const { webhooks } = apiDocument();
    expect(Object.keys(webhooks).sort()).toEqual([...FEED_TYPES, 'endpoint.test'].sort());
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { example } = post.requestBody.content['application/json'];
      expect(example).toMatchObject({ type, id: expect.any(String), previous_id: expect.any(String) });
      expectDescribed({ type, ...(example as object) });
      expect(() => expectDescribed({ type, ...(example as object), data: { strange: 1 } })).toThrow(type);
    }
    expect(() => expectDescribed({ type: 'signal.lost' })).toThrow('described nowhere');
  });

  it('describes every field, and no field that does not exist', () => {
    const described = Object.values(apiDocument().components.schemas).flatMap(({ properties = {} }) =>
      Object.values(properties as object),
    );
    expect(described.length).toBeGreaterThan(500);
    expectNone(
      apiReference.unused(),
      'no schema or operation of this name has such a field or parameter: remove these descriptions from the .reference.ts files',
    );
  });

  for (const [path, rows] of [
    ['/api/v2/lists/{kind}/{list_id}/members', 'members'],
    ['/api/v2/watchlists/{kind}/{list_id}/entities', 'entities'],
  ] as const) {
    it(`MEM-03 MEM-04 MEM-05 MEM-19 describes the parts of a row of ${rows}`, () => {
      expect(bodyOf(path)).toMatchObject({
        properties: {
          [rows]: {
            minItems: 1,
            maxItems: 100,
            items: {
              type: 'object',
              properties: {
                network_url: { type: ['string', 'null'] },
                network_handle: { type: ['string', 'null'] },
                domain: { type: ['string', 'null'] },
                company: {
                  type: ['object', 'null'],
                  properties: {
                    name: { type: ['string', 'null'] },
                    domain: { type: ['string', 'null'] },
                  },
                },
              },
            },
          },
        },
      });
    });
  }

  const limit = { limit: { default: 25, minimum: 1, maximum: 100 } };
  const lookback = { lookback_days: { default: 90, minimum: 1, maximum: 180 } };
  for (const [id, path, properties] of [
    ['SIG-20', '/api/v2/workspace/signals/query', limit],
    ['SIG-47', '/api/v3/signals/query', limit],
    ['RUN-07', '/api/v2/workspace/signal-runs', { parameters: { properties: lookback } }],
    ['LST-06', '/api/v2/lists', { default_tracking_status: { default: 'followed' } }],
    ['LST-06', '/api/v2/watchlists', { default_tracking_status: { default: 'followed' } }],
  ] as const) {
    it(`${id} describes the default of an absent field of ${path}`, () => {
      expect(bodyOf(path)).toMatchObject({ properties });
    });
  }

  it('MAP-02 TAL-03 MEM-19 names the fields of which a request needs at least or exactly one', () => {
    const choices = Object.entries(apiDocument().components.schemas).flatMap(([name, { allOf = [] }]) =>
      (allOf as Schema[]).flatMap(({ anyOf, oneOf }) => {
        const among = anyOf ?? oneOf;
        if (!Array.isArray(among)) return [];
        const fields = among.flatMap(({ required }) => required).sort();
        return [`${name}: ${anyOf === undefined ? 'exactly' : 'at least'} ${fields.join(' ')}`];
      }),
    );
    const persona =
      'additional_info archived exclude_job_title headcount industry job_title location seniority tag';
    const list = 'archived default_tracking_status description';
    expect(choices).toEqual([
      'AccountRow: at least domain network_url',
      'ChangeAgentBody: at least enabled name parameters schedule watchlist_id watchlist_kind',
      `ChangeListBody: at least ${list} name persona_ids`,
      `ChangeMonitoredListBody: at least ${list} name persona_ids signal_buckets`,
      `ChangeOldestPersonaBody: at least ${persona.replace('archived ', '')}`,
      `ChangePersonaBody: at least ${persona}`,
      'ChangeSignalSetupBody: at least enabled name parameters schedule',
      `ChangeWatchlistBody: at least ${list} persona_ids title`,
      'CreateSignalSetupBody: exactly signal_template_id signal_template_key',
      'EndpointChangeBody: at least description enabled format list_ids rate_per_second signal_setup_ids signal_template_keys types url',
      'EnrichCompanyMappingBody: exactly company_id domain network_handle network_url',
      'LaunchSignalRunBody: exactly agent_id signal_setup_id',
      'MemberRow: at least domain network_handle network_url',
      'MemberRowCompany: at least domain name',
      'QuoteSignalRunBody: exactly agent_id signal_setup_id',
      'ReplayBody: exactly event since',
    ]);
  });

  it('SUP-09 describes the payload of every signal type, and allows any JSON for detections added by hand', () => {
    const { schemas } = apiDocument().components;
    const forms = (schemas['Detection'] as DetectionSchema).properties.data.anyOf;
    const named = forms.flatMap(({ $ref = '' }) => {
      const payload = schemas[$ref.replace('#/components/schemas/', '')];
      const types = [...String(payload?.['description']).matchAll(/`(\w+)`/g)].map(([, type]) => type);
      return types.map((type) => [type, payload?.['title'] ?? $ref.split('/').at(-1)]);
    });
    expect(Object.fromEntries(named)).toEqual(
      Object.fromEntries(SIGNAL_TYPES.map((type) => [type, PAYLOADS[type].title])),
    );
    expect(forms.at(-1)?.type).toContain('string');
  });

  it('CR-11 describes which identifiers of companies content requests refuse: blank ones, and those above 2,048 characters', () => {
    const value = { type: 'string', pattern: '\\S', maxLength: 2_048 };
    expect(bodyOf('/api/v2/content-requests/query')).toMatchObject({
      properties: { company_domain: { anyOf: [{ pattern: '\\S' }, { type: 'array', items: value }] } },
    });
    const { parameters } = apiDocument().paths['/api/v2/content-requests']?.['get'] ?? {};
    expect(parameters?.find(({ name }) => name === 'company_domain')?.schema).toMatchObject({ items: value });
  });

  it('CONV-12 describes a text alike where it is created and changed: what is refused as blank, and how long it may be', () => {
    const { schemas } = apiDocument().components;
    const field = (owner: string, name: string): unknown => {
      const { properties } = schemas[owner] as { properties: Record<string, { items?: Schema } & Schema> };
      const { pattern, maxLength } = properties[name]?.items ?? properties[name] ?? {};
      return { pattern, maxLength };
    };
    const [keywords, name] = ['tracking_keywords', 'name'];
    expect(field('ChangeAgentBodyParameters', keywords)).toEqual(field('AgentParametersBody', keywords));
    expect(field('ChangeAgentBodyFields', name)).toEqual(field('CreateAgentBody', name));
    expect(field('ChangeSignalSetupBodyFields', name)).toEqual(field('CreateSignalSetupBodyFields', name));
    expect(field('ChangeListBodyFields', name)).toEqual(field('CreateListBody', name));
  });

  it('TPL-13 names the possible shapes of a template', () => {
    const shapes = 'keyword engagement job_change job_posting firmographic internal_signal custom'.split(' ');
    expect(apiDocument().components.schemas['SignalTemplateSetup']).toMatchObject({
      properties: { shape: { enum: shapes } },
    });
  });

  it('has a rule for every breach below, and a breach for every rule', () => {
    expect(Object.keys(breaches).sort()).toEqual(lint.ruleNames.toSorted());
  });

  for (const [rule, commit] of Object.entries(breaches)) {
    it(`is refused: ${rule}`, () => {
      const document = structuredClone(apiDocument());
      commit(document);
      expect(lint.lint(document, [rule])).toEqual(expect.arrayContaining([expect.stringContaining(rule)]));
    });
  }
});

/** The body of a POST, with everything it refers to. */
function bodyOf(path: string): unknown {
  const schema = apiDocument().paths[path]?.['post']?.requestBody?.content['application/json'].schema;
  return schema && inlined(schema);
}
