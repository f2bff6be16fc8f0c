import { shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import { compileJsonSchema } from '#kernel/values/json-schema.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const LIST_TYPES = ['competitor', 'partner', 'customer', 'prospect', 'influencer', 'champion', 'employee'];

const SUBJECTS = ['person', 'company'];
const SCOPES = ['discovery', 'account_monitoring'];
const SHAPES = [
  'keyword',
  'engagement',
  'job_change',
  'job_posting',
  'firmographic',
  'internal_signal',
  'custom',
];
const TEMPLATE_FIELDS = [
  'archived_at',
  'category',
  'description',
  'display_order',
  'id',
  'key',
  'name',
  'pricing',
  'row_summary',
  'scopes',
  'setup',
  'status',
  'subjects',
  'tags',
];
type Template = {
  readonly key: string;
  readonly status: string;
  readonly subjects: readonly string[];
  readonly scopes: readonly string[];
  readonly tags: readonly unknown[];
  readonly pricing: { readonly account_monitoring: object | null; readonly discovery: object | null };
  readonly setup: { readonly shape: string; readonly fields: { readonly [keyword: string]: unknown } };
};

describe('the signal catalogue', () => {
  const service = scene();
  const workspace = sharedWorkspace(service);

  const templates = (query = '?page_size=100', asker = workspace) =>
    asker.data(`GET /api/v3/signal-templates${query}`);
  const templateOf = async (key: string, asker = workspace) =>
    (await templates('?page_size=100&include_coming_soon=true', asker)).find(
      (template: { key: string }) => template.key === key,
    );
  const buckets = (asker = workspace) => asker.data('GET /api/v3/signal-buckets');

  describe('GET /api/v3/signal-templates', () => {
    it('TPL-01 TPL-17 returns the first page in display order', async () => {
      const { status, body, headers } = await workspace.call('GET /api/v3/signal-templates');
      expect(status).toBe(200);
      expect(body.meta).toEqual({ pagination: { page: 1, page_size: 25, page_count: 2, total: 26 } });
      expect(headers.get('x-total-count')).toBe('26');
      const orders = body.data.map((template: { display_order: number }) => template.display_order);
      expect(orders).toEqual([...orders].sort((left: number, right: number) => left - right));
      expect(await templates('?page=2')).toHaveLength(1);
    });

    it('TPL-02 TPL-09 TPL-11 TPL-24 shows a complete template', async () => {
      const shipped = shippedCatalogue().templates[0];
      const [template] = await templates();
      expect(template).toEqual({
        id: template.id,
        key: 'mentioned-keywords-on-network',
        name: 'Keywords mentioned on the network',
        description: 'Someone posts about one of your keywords.',
        row_summary: 'Someone posts about one of your keywords',
        category: 'keywords',
        status: 'live',
        subjects: ['person', 'company'],
        scopes: ['discovery', 'account_monitoring'],
        tags: ['intent', 'popular'],
        pricing: {
          account_monitoring: { signal_bucket: 'essential', credits: 5, unit: 'key_account_per_month' },
          discovery: { credits: 10, unit: 'signal_found' },
        },
        setup: { fields: shipped?.fields, shape: 'keyword' },
        display_order: 10,
        archived_at: null,
      });
      expect(Number.isInteger(template.id)).toBe(true);
    });

    it('TPL-03 TPL-07 TPL-08 TPL-09 TPL-11 TPL-13 shows every template, also coming ones, with the words of the API', async () => {
      const all = await templates('?page_size=100&include_coming_soon=true');
      expect(new Set(all.map(({ status }: Template) => status))).toEqual(new Set(['live', 'coming_soon']));
      for (const template of all as readonly Template[]) {
        const { key, subjects, scopes, tags, pricing, setup } = template;
        expect([key, Object.keys(template).sort()]).toEqual([key, TEMPLATE_FIELDS]);
        expect([key, subjects.length > 0, subjects.every((one) => SUBJECTS.includes(one))]).toEqual([
          key,
          true,
          true,
        ]);
        expect([key, scopes.length > 0, scopes.every((one) => SCOPES.includes(one))]).toEqual([
          key,
          true,
          true,
        ]);
        expect([key, Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')]).toEqual([
          key,
          true,
        ]);
        expect([key, SHAPES.includes(setup.shape)]).toEqual([key, true]);
        expect([key, setup.fields['type']]).toEqual([key, 'object']);
        expect([key, setup.fields['$schema']]).toEqual([key, 'https://json-schema.org/draft/2020-12/schema']);
        expect(Object.keys(pricing).sort()).toEqual(['account_monitoring', 'discovery']);
        if (pricing.account_monitoring !== null) {
          expect(pricing.account_monitoring).toEqual({
            signal_bucket: expect.stringMatching(/^(essential|standard|advanced)$/),
            credits: expect.any(Number),
            unit: 'key_account_per_month',
          });
        }
        if (pricing.discovery !== null) {
          expect(pricing.discovery).toEqual({ credits: expect.any(Number), unit: 'signal_found' });
        }
      }
      expect(all.some(({ pricing }: Template) => pricing.account_monitoring === null)).toBe(true);
      expect(all.some(({ pricing }: Template) => pricing.discovery === null)).toBe(true);
    });

    it('TPL-04 TPL-05 TPL-06 leaves out retired templates, and coming ones unless requested', async () => {
      const live = await templates();
      expect(new Set(live.map((template: { status: string }) => template.status))).toEqual(new Set(['live']));
      for (const yes of ['true', '1']) {
        const all = await templates(`?page_size=100&include_coming_soon=${yes}`);
        expect(all).toHaveLength(28);
        expect(all.map((template: { key: string }) => template.key)).not.toContain('legacy-keyword-watch');
        expect(all.every((template: { archived_at: unknown }) => template.archived_at === null)).toBe(true);
      }
      expect(await templates('?page_size=100&include_coming_soon=0')).toEqual(live);
    });

    it('TPL-10 shows null without a bucket or a price', async () => {
      expect((await templateOf('new-executive')).pricing.account_monitoring).toBeNull();
      expect((await templateOf('champion-job-change')).pricing).toEqual({
        account_monitoring: null,
        discovery: { credits: 40, unit: 'signal_found' },
      });
      expect((await templateOf('headcount-decline')).pricing.discovery).toBeNull();
    });

    it('TPL-14 TPL-15 TPL-16 has schemas that compile and name the required list', async () => {
      const all = await templates();
      for (const { setup } of all) {
        expect(() => compileJsonSchema(setup.fields)).not.toThrow();
        const list = setup.fields.properties.list_id;
        if (list !== undefined) expect(LIST_TYPES).toContain(list['x-watchlist-type']);
      }
      const properties = all.flatMap(({ setup }: Template) =>
        Object.values(setup.fields['properties'] ?? {}),
      );
      for (const annotation of ['x-label', 'x-hint', 'x-control']) {
        const texts = properties.map((property: object) => Reflect.get(property, annotation));
        expect(texts.filter((text: unknown) => typeof text === 'string').length).toBeGreaterThan(0);
        expect(texts.filter((text: unknown) => text !== undefined && typeof text !== 'string')).toEqual([]);
      }
      expect(
        all.some(({ setup: { fields } }: { setup: { fields: { [keyword: string]: unknown } } }) => {
          const conditions = fields['allOf'];
          return (
            Array.isArray(conditions) &&
            conditions.some((condition: object) => 'if' in condition && 'then' in condition) &&
            Array.isArray(fields['required']) &&
            fields['unevaluatedProperties'] === false
          );
        }),
      ).toBe(true);
    });

    for (const query of ['page=0', 'page=x', 'page_size=101', 'page_size=', 'include_coming_soon=maybe']) {
      it(`TPL-18 TPL-19 refuses ?${query}`, async () => {
        const { status, body } = await workspace.call(`GET /api/v3/signal-templates?${query}`);
        expect(status).toBe(400);
        expect(body).toMatchObject({ type: 'about:blank', title: 'Invalid query parameters', status: 400 });
        expect(Object.keys(body.errors)).toEqual([query.split('=')[0]]);
      });
    }

    it('TPL-20 requires a key', async () => {
      expect((await service.call('GET /api/v3/signal-templates')).status).toBe(401);
      expect((await service.call('GET /api/v3/signal-buckets')).status).toBe(401);
    });
  });

  describe('GET /api/v3/signal-templates/{id}', () => {
    it('TPL-25 OP-12 returns the template as it is listed', async () => {
      const [template] = await templates();
      const { status, body } = await workspace.call(`GET /api/v3/signal-templates/${template.id}`);
      expect({ status, body }).toEqual({ status: 200, body: { data: template } });
    });

    it('TPL-25 OP-12 still returns a retired template, with its retirement time', async () => {
      const { body } = await workspace.call('GET /api/v3/signal-templates/29');
      expect(body.data).toMatchObject({ key: 'legacy-keyword-watch', status: 'live' });
      expect(new Date(body.data.archived_at).toISOString()).toBe(body.data.archived_at);
    });

    it('answers 404 for an unknown id and 400 for a malformed one', async () => {
      expect((await workspace.call('GET /api/v3/signal-templates/9007199254740991')).body).toMatchObject({
        status: 404,
        title: 'Not Found',
      });
      for (const id of ['abc', '0', '-1', '1.5']) {
        expect((await workspace.call(`GET /api/v3/signal-templates/${id}`)).body).toMatchObject({
          status: 400,
          title: 'Invalid path parameters',
        });
      }
    });
  });

  describe('GET /api/v3/signal-buckets', () => {
    it('BKT-01 BKT-02 BKT-03 BKT-04 BKT-05 shows the three buckets in order, one without a price', async () => {
      const { status, body } = await workspace.call('GET /api/v3/signal-buckets');
      expect(status).toBe(200);
      expect(body.meta.pagination).toEqual({ page: 1, page_size: 25, page_count: 1, total: 3 });
      expect(
        body.data.map(({ signal_template_ids: _, ...bucket }: { signal_template_ids: unknown }) => bucket),
      ).toEqual([
        {
          key: 'essential',
          name: 'Essential',
          description: 'The signals every key account should have',
          display_order: 10,
          pricing: { credits: 5, unit: 'key_account_per_month' },
        },
        {
          key: 'standard',
          name: 'Standard',
          description: 'Adds hiring, engagement and company changes',
          display_order: 20,
          pricing: { credits: 12.5, unit: 'key_account_per_month' },
        },
        {
          key: 'advanced',
          name: 'Advanced',
          description: 'Adds executive moves and funding',
          display_order: 30,
          pricing: null,
        },
      ]);
    });

    it('BKT-02 BKT-07 groups the templates that name it', async () => {
      const all = await templates();
      for (const bucket of (await buckets()).filter(
        ({ pricing }: { pricing: unknown }) => pricing !== null,
      )) {
        const named = all
          .filter(
            ({ pricing }: { pricing: { account_monitoring: { signal_bucket: string } | null } }) =>
              pricing.account_monitoring?.signal_bucket === bucket.key,
          )
          .map(({ id }: { id: number }) => id);
        expect(bucket.signal_template_ids).toEqual(named);
        expect(named.length).toBeGreaterThan(0);
      }
    });

    it('is paged, with an empty page beyond the end', async () => {
      const second = (await workspace.call('GET /api/v3/signal-buckets?page=2&page_size=2')).body;
      expect(second.data.map(({ key }: { key: string }) => key)).toEqual(['advanced']);
      expect(second.meta.pagination).toEqual({ page: 2, page_size: 2, page_count: 2, total: 3 });
      expect((await workspace.call('GET /api/v3/signal-buckets?page=9')).body.data).toEqual([]);
    });

    it('BKT-08 refuses an invalid page, and a request without a key', async () => {
      expect((await workspace.call('GET /api/v3/signal-buckets?page_size=0')).body).toMatchObject({
        status: 400,
        title: 'Invalid query parameters',
        errors: { page_size: ['must be at least 1'] },
      });
      for (const wrong of ['page=0', 'page=-1', 'page=1.5', 'page=abc', 'page=', 'page_size=101']) {
        const { body } = await workspace.call(`GET /api/v3/signal-buckets?${wrong}`);
        expect([wrong, body.status, Object.keys(body.errors)]).toEqual([wrong, 400, [wrong.split('=')[0]]]);
      }
      expect((await service.call('GET /api/v3/signal-buckets')).status).toBe(401);
    });
  });

  describe('changes by operators', () => {
    it('TPL-12 TPL-23 BKT-06 shows a partner’s rate to its workspaces and the list price to the others', async () => {
      const { partner_id } = (await service.ops('partner.create', { name: 'Nordic Resellers' })).body;
      const partnered = await service.workspace({ billing: 'partner', partner_id });
      const rate = { partner_id, item: 'bucket:standard', credits: '9.123456' };
      await service.expectEvents(['PartnerRateSet'], () => service.ops('partner.rate', rate));
      expect(await service.eventsOf(() => service.ops('partner.rate', rate))).toEqual([]);

      const priced = { credits: 9.123456, unit: 'key_account_per_month' };
      expect((await buckets(partnered))[1].pricing).toEqual(priced);
      expect((await buckets())[1].pricing.credits).toBe(12.5);
      const template = await templateOf('headcount-growth', partnered);
      expect(template.pricing.account_monitoring).toEqual({ signal_bucket: 'standard', ...priced });
      expect((await templateOf('headcount-growth')).pricing.account_monitoring.credits).toBe(12.5);

      await service.command('partner.rate', { ...rate, credits: null });
      expect((await buckets(partnered))[1].pricing.credits).toBe(12.5);
    });

    it('OPS-06 keeps a list price that was set through a later sync', async () => {
      const set = { item: 'bucket:advanced', credits: 12.345678 };
      expect(await service.eventsOf(() => service.ops('prices.set', set))).toEqual(['ListPriceSet']);
      expect((await buckets())[2].pricing.credits).toBe(12.345678);
      expect((await templateOf('new-executive')).pricing.account_monitoring.credits).toBe(12.345678);
      expect(await service.eventsOf(() => service.ops('catalogue.sync', {}))).toEqual([]);
      await service.command('prices.set', { item: 'bucket:advanced', credits: null });
      expect((await buckets())[2].pricing).toBeNull();
    });

    it('keeps the catalogue and the list prices in one stream each', async () => {
      for (const [stream, first] of [
        ['catalogue', 'BucketDefined'],
        ['prices', 'ListPriceSet'],
      ] as const) {
        const [begun] = await service.stream(stream);
        expect(begun?.type).toBe(first);
      }
    });

    it('OPS-06 OPS-07 refuses prices of unknown items and invalid amounts', async () => {
      for (const [command, input, status] of [
        ['prices.set', { item: 'bucket:gold', credits: 1 }, 422],
        ['prices.set', { item: 'launch', credits: -1 }, 422],
        ['prices.set', { item: 'launch', credits: '0.5' }, 422],
        ['prices.set', { item: 'launch', credits: null }, 422],
        ['prices.set', { item: 'profile', credits: null }, 422],
        ['prices.set', { item: 'account', credits: null }, 422],
        ['prices.set', { item: 'discovery:no-such-template', credits: 1 }, 404],
        ['partner.rate', { partner_id: 999_999, item: 'launch', credits: '0.5' }, 422],
        ['partner.rate', { partner_id: 999_999, item: 'launch', credits: 1 }, 404],
        ['partner.rate', { partner_id: 999_999, item: 'launch', credits: null }, 404],
        ['catalogue.status', { key: 'no-such-template', retired: true }, 404],
        ['catalogue.status', { key: 'new-executive' }, 422],
        ['catalogue.sync', { catalogue: {} }, 422],
      ] as const) {
        expect((await service.refused(() => service.ops(command, input))).status).toBe(status);
      }
    });

    it('OPS-08 OPS-09 defines, revises, retires and reinstates templates', async () => {
      const shipped = shippedCatalogue();
      const [first] = shipped.templates;
      const extra = {
        ...first,
        key: 'extra-signal',
        name: 'Extra',
        display_order: 5,
        discovery_credits: null,
      };
      const sync =
        (templates: readonly object[], retire = false) =>
        () =>
          service.ops('catalogue.sync', { catalogue: { buckets: shipped.buckets, templates }, retire });

      expect(await service.eventsOf(sync([...shipped.templates, extra]))).toEqual(['TemplateDefined']);
      expect((await templates())[0]).toMatchObject({ key: 'extra-signal', pricing: { discovery: null } });
      const renamed = { ...extra, name: 'Renamed', signal_bucket: null };
      expect(await service.eventsOf(sync([...shipped.templates, renamed]))).toEqual(['TemplateRevised']);
      expect(await templateOf('extra-signal')).toMatchObject({
        name: 'Renamed',
        pricing: { account_monitoring: null },
      });

      expect(await service.eventsOf(sync(shipped.templates))).toEqual([]);
      expect(await service.eventsOf(sync(shipped.templates, true))).toEqual(['TemplateRetired']);
      expect(await templateOf('extra-signal')).toBeUndefined();
      const reinstate = () => service.ops('catalogue.status', { key: 'extra-signal', retired: false });
      expect(await service.eventsOf(reinstate)).toEqual(['TemplateReinstated']);
      expect(await templateOf('extra-signal')).toMatchObject({ archived_at: null });
      await service.command('catalogue.status', { key: 'extra-signal', retired: true });
    });
  });
});
