import { refusal } from '#test/support/expected-answers.js';
import { employed, observedCompany, observedPerson, observedPost } from '#test/support/observed-network.js';
import { scene } from '#test/support/scene.js';
import type { Answer, TestWorkspace } from '#test/support/service.js';

const NOW = '2026-06-01T10:00:00.000Z';
const LONG = `${'before '.repeat(40)}our CRM ${'after '.repeat(40)}`;

const preview = (
  workspace: TestWorkspace,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> => workspace.call('POST /api/v3/keywords/preview', body, headers);

describe('QUO-03 a preview of keywords', () => {
  const service = scene({
    at: NOW,
    network: [
      observedCompany('acme'),
      observedPerson('author', employed('acme', 'VP Sales')),
      observedPost('too-old', 'author', 'a crm', '2026-03-01T09:00:00Z'),
      observedPost('other', 'author', 'scrm and crms', '2026-05-01T09:00:00Z'),
      observedPost('long', 'author', LONG, '2026-05-02T09:00:00Z'),
      observedPost('both', 'author', 'crm or C++', '2026-05-03T09:00:00Z'),
      ...Array.from({ length: 12 }, (_, at) =>
        observedPost(`more-${at}`, 'author', `we like c++ ${at}`, `2026-05-${at + 10}T09:00:00Z`),
      ),
      observedPost('later', 'author', 'a crm', '2026-06-02T09:00:00Z'),
    ],
  });
  beforeEach(() => service.setClock(NOW));

  it('counts by keyword, and shows extracts of the oldest ten without their authors', async () => {
    const workspace = await service.workspace();
    const { status, body } = await preview(workspace, {
      keywords: ['CRM', 'c++', 'erp', 'CRM'],
      lookback_days: 60,
    });
    expect(status).toBe(200);
    const { samples, ...counted } = body.data;
    expect(counted).toEqual({
      now: NOW,
      lookback_days: 60,
      posts: 14,
      keywords: [
        { keyword: 'CRM', posts: 2 },
        { keyword: 'c++', posts: 13 },
        { keyword: 'erp', posts: 0 },
      ],
      complete: true,
      stopped_because: null,
      counted_until: null,
    });
    expect(samples).toHaveLength(10);
    const [long, both, more] = samples;
    expect(long).toEqual({ published_on: '2026-05-02', keywords: ['CRM'], extracts: [expect.any(String)] });
    expect(LONG).toContain(long.extracts[0]);
    expect(long.extracts[0]).toHaveLength(120);
    expect(long.extracts[0]).toMatch(/before our CRM after/);
    expect(both).toEqual({ published_on: '2026-05-03', keywords: ['CRM', 'c++'], extracts: ['crm or C++'] });
    expect(more).toEqual({ published_on: '2026-05-10', keywords: ['c++'], extracts: ['we like c++ 0'] });
    expect(JSON.stringify(body)).not.toMatch(/author|acme|post-|more-|https?:/i);
  });

  it('looks back 90 days by default, and finds the same as a run', async () => {
    const workspace = await service.workspace();
    expect((await preview(workspace, { keywords: ['crm'] })).body.data).toMatchObject({
      lookback_days: 90,
      posts: 2,
    });
    expect((await preview(workspace, { keywords: ['crm'], lookback_days: 180 })).body.data.posts).toBe(3);
  });

  it('records nothing, charges nothing, and is allowed for a read-only key', async () => {
    const workspace = await service.workspace();
    const { api_key } = await workspace.command('apikey.issue', { label: 'dashboard', read_only: true });
    const before = await workspace.balance();
    await service.expectSettledEvents([], async () => {
      const reader = { authorization: `Bearer ${api_key}` };
      expect((await preview(workspace, { keywords: ['crm'] }, reader)).status).toBe(200);
    });
    expect(await workspace.balance()).toEqual(before);
  });

  it('refuses an invalid list of keywords with 422 on the field, and does not count such a request', async () => {
    const workspace = await service.workspace();
    const faults: readonly (readonly [object, string])[] = [
      [{}, 'keywords'],
      [{ keywords: [] }, 'keywords'],
      [{ keywords: 'crm' }, 'keywords'],
      [{ keywords: [' '] }, 'keywords'],
      [{ keywords: ['crm', '\u200b'] }, 'keywords'],
      [{ keywords: ['crm', 5] }, 'keywords'],
      [{ keywords: ['c'.repeat(101)] }, 'keywords'],
      [{ keywords: Array.from({ length: 51 }, (_, at) => `k${at}`) }, 'keywords'],
      [{ keywords: ['crm'], lookback_days: 0 }, 'lookback_days'],
      [{ keywords: ['crm'], lookback_days: 181 }, 'lookback_days'],
    ];
    await service.expectSettledEvents([], async () => {
      for (const [body, field] of faults) await refusal(422, preview(workspace, body), field);
    });
    for (let made = 0; made < 60; made += 1)
      expect((await preview(workspace, { keywords: ['nothing'] })).status).toBe(200);
  });

  it('is refused with 429 after 60 in a minute for all keys, and allowed in the next; other workspaces are not affected', async () => {
    const [workspace, other] = [await service.workspace(), await service.workspace()];
    await service.setClock('2026-06-01T10:00:20.000Z');
    for (let made = 0; made < 60; made += 1) await preview(workspace, { keywords: ['nothing'] });
    const { api_key } = await workspace.command('apikey.issue', { label: 'second' });
    const second = { authorization: `Bearer ${api_key}` };
    const refused = await preview(workspace, { keywords: ['nothing'] }, second);
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      429,
      '40',
      expect.objectContaining({
        title: 'Too Many Requests',
        detail: 'A workspace has 60 previews a minute: try again in 40 s.',
      }),
    ]);
    expect((await preview(other, { keywords: ['nothing'] })).status).toBe(200);
    await service.setClock('2026-06-01T10:01:00.000Z');
    expect((await preview(workspace, { keywords: ['nothing'] })).status).toBe(200);
  });

  it('is refused with 429 after 500 in a day, until the next day begins', async () => {
    const workspace = await service.workspace();
    for (let made = 0; made < 500; made += 1) {
      if (made % 60 === 0) await service.advance('PT1M');
      expect((await preview(workspace, { keywords: ['nothing'] })).status).toBe(200);
    }
    await service.setClock('2026-06-01T23:30:00.000Z');
    const refused = await preview(workspace, { keywords: ['nothing'] });
    expect([refused.status, refused.headers.get('retry-after'), refused.body.detail]).toEqual([
      429,
      '1800',
      'A workspace has 500 previews a day: try again in 1800 s.',
    ]);
    await service.setClock('2026-06-02T00:00:00.000Z');
    expect((await preview(workspace, { keywords: ['nothing'] })).status).toBe(200);
  });
});
