import { eventually } from '#test/projections/engine-fixture.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

describe('OPS-27 apikey.list', () => {
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const workspace = sharedWorkspace(service);

  const issue = async (label: string) => await workspace.command('apikey.issue', { label });
  const keysOf = async (input: object = {}) => await workspace.command('apikey.list', { ...input });
  const use = (apiKey: string): Promise<unknown> =>
    service.call('GET /api/v3/credits/balance', undefined, { authorization: `Bearer ${apiKey}` });
  const lastUseOf = async (keyId: number): Promise<string | null> =>
    (await keysOf()).keys.find(({ key_id }: { readonly key_id: number }) => key_id === keyId).last_used_at;

  it('shows label, prefix and last use of each key, and no secret', async () => {
    const { key_id, api_key } = await issue('robot');
    const { keys, ...numbers } = await keysOf();
    expect(numbers).toEqual({ page: 1, page_size: 25, page_count: 1, total: 2 });
    expect(keys).toEqual([
      {
        key_id: expect.any(Number),
        label: 'first key',
        prefix: workspace.apiKey.slice(0, 12),
        revoked: false,
        read_only: false,
        last_used_at: null,
      },
      {
        key_id,
        label: 'robot',
        prefix: api_key.slice(0, 12),
        revoked: false,
        read_only: false,
        last_used_at: null,
      },
    ]);
    expect(JSON.stringify(keys)).not.toContain(api_key.slice(13));
  });

  it('shows a use as soon as it was answered, then to the minute, and records no event', async () => {
    const { key_id, api_key } = await issue('used');
    const added = await service.settledEventsOf(async () => {
      expect(await lastUseOf(key_id)).toBeNull();
      await use(api_key);
      expect(await lastUseOf(key_id)).toBe('2026-06-01T10:00:00.000Z');
    });
    expect(added).toEqual([]);
    await service.ops('clock.advance', { ms: 59_000 });
    await use(api_key);
    expect(await lastUseOf(key_id)).toBe('2026-06-01T10:00:00.000Z');
    await service.ops('clock.advance', { ms: 1_000 });
    await use(api_key);
    await eventually(async () => (await lastUseOf(key_id)) === '2026-06-01T10:01:00.000Z');
  });

  it('counts a refused request as a use, but none with a key that was revoked before', async () => {
    const refused = await issue('refused');
    const authorization = `Bearer ${refused.api_key}`;
    await service.call('GET /api/v2/agents/999999', undefined, { authorization });
    expect(await lastUseOf(refused.key_id)).not.toBeNull();
    const revoked = await issue('revoked');
    await workspace.command('apikey.revoke', { key_id: revoked.key_id });
    await use(revoked.api_key);
    expect(await lastUseOf(revoked.key_id)).toBeNull();
    expect((await keysOf()).keys.at(-1)).toMatchObject({ label: 'revoked', revoked: true });
  });

  it('pages, and refuses an unknown workspace', async () => {
    const { total } = await keysOf();
    const second = await keysOf({ page: 2, page_size: 1 });
    expect(second).toMatchObject({ page: 2, page_size: 1, page_count: total, total });
    expect(second.keys).toMatchObject([{ label: 'robot' }]);
    expect((await service.ops('apikey.list', { workspace_id: 999_999 })).status).toBe(404);
    const wrong = await service.ops('apikey.list', { workspace_id: workspace.id, page_size: 101 });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['page_size']]);
  });
});
