import { spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import { scene } from '#test/support/scene.js';

describe('the file of catalogue.sync', () => {
  const service = scene();

  const faultOf = async (file: string): Promise<unknown> => {
    const { status, body } = await service.ops('catalogue.sync', { file });
    return [status, body.errors];
  };

  it('OPS-08 is a regular file: a pipe without a writer is refused at once', async () => {
    const pipe = join(service.dataDirectory, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const refusal = [422, { file: ['is not a regular file'] }];
    expect(await faultOf(pipe)).toEqual(refusal);
    expect(await faultOf(service.dataDirectory)).toEqual(refusal);
    expect(await faultOf('/dev/zero')).toEqual(refusal);
    expect(await faultOf(join(service.dataDirectory, 'none'))).toEqual([422, { file: ['cannot be read'] }]);
  });

  it('OPS-08 has at most 8 MiB', async () => {
    const file = join(service.dataDirectory, 'catalogue.json');
    const text = JSON.stringify(shippedCatalogue());
    writeFileSync(file, text.padEnd(8 * 1024 * 1024));
    expect(await faultOf(file)).toEqual([200, undefined]);
    truncateSync(file, 8 * 1024 * 1024 + 1);
    expect(await faultOf(file)).toEqual([422, { file: ['is larger than 8 MiB'] }]);
  });

  it('OPS-08 holds only patterns that run in linear time', async () => {
    const catalogue = shippedCatalogue();
    const [first] = catalogue.templates;
    const withPattern = (pattern: string) => ({
      ...catalogue,
      templates: [
        {
          ...first,
          fields: { ...first?.fields, properties: { tracking_keywords: { items: { pattern } } } },
        },
      ],
    });
    const { status, body } = await service.ops('catalogue.sync', { catalogue: withPattern('(a|b)\\1') });
    const place = 'templates.0.fields.properties.tracking_keywords.items.pattern';
    expect([status, Object.keys(body.errors)]).toEqual([422, [place]]);
    expect(body.errors[place][0]).toContain('the pattern (a|b)\\1 cannot be run in linear time');

    const slow = withPattern('^(a+)+$');
    expect((await service.ops('catalogue.sync', { catalogue: slow })).status).toBe(200);
    const workspace = await service.workspace();
    // backtracking over this would take longer than the test may
    const parameters = { tracking_keywords: [`${'a'.repeat(200)}!`] };
    const answer = await workspace.call('POST /api/v3/signal-setups', { signal_template_id: 1, parameters });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, expect.any(Array)]);
  });

  it('OPS-08 holds no pattern that would not be enforced: the refusal names the keyword', async () => {
    const catalogue = shippedCatalogue();
    const [first] = catalogue.templates;
    const errorsOf = async (fields: object) => {
      const templates = [{ ...first, fields: { ...first?.fields, ...fields } }];
      const { status, body } = await service.ops('catalogue.sync', {
        catalogue: { ...catalogue, templates },
      });
      return [status, Object.keys(body.errors ?? {})];
    };
    const at = (path: string) => [422, [`templates.0.fields.${path}`]];
    expect(await errorsOf({ properties: { tracking_keywords: { type: 'array', pattern: '^a' } } })).toEqual(
      at('properties.tracking_keywords.pattern'),
    );
    expect(await errorsOf({ pattern: '^a' })).toEqual(at('pattern'));
    expect(await errorsOf({ properties: { tracking_keywords: { items: {}, pattern: '^a' } } })).toEqual(
      at('properties.tracking_keywords.pattern'),
    );
    expect(
      await errorsOf({ allOf: [{ then: { properties: { n: { type: 'integer', pattern: '1' } } } }] }),
    ).toEqual(at('allOf.0.then.properties.n.pattern'));
    expect(await errorsOf({ patternProperties: { '(a)\\1': {} } })).toEqual(at('patternProperties.(a)\\1'));
    // a parameter of this name is not the keyword, and a value is no schema
    const named = { pattern: { type: 'string' }, other: { const: { pattern: 1 } } };
    expect(await errorsOf({ properties: { ...Object(first?.fields['properties']), ...named } })).toEqual([
      200,
      [],
    ]);
  });
});
