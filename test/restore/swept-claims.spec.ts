import { join } from 'node:path';
import { SHORT_LIVED_MS } from '#kernel/ports/short-lived.js';
import { backupStore } from '#runtime/backup-store.js';
import { copyStore } from '#runtime/copy-store.js';
import { restoreStore } from '#runtime/restore-store.js';
import type { EventStoreUrl } from '#runtime/settings.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { everythingAfter, soon } from '#test/support/event-stores.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const KEYS = 70;
const LIST = { type: 'competitor', name: 'Rivals' };

describe('OP-66 claims that leave a log', () => {
  const folder = temporaryFolder('swept-claims');
  const to = (name: string): EventStoreUrl => ({ kind: 'sqlite', path: join(folder, name) });
  const source = to('events.db');
  const environment = { CLOCK: 'manual', EVENT_STORE_URL: `sqlite:${join(folder, 'events.db')}` };
  let service: TestService;
  let apiKey = '';
  let facts: Awaited<ReturnType<typeof backupStore>>;
  const start = async (): Promise<void> => {
    service = await startTestService(environment, folder);
    await eventually(async () => (await service.call('GET /health/ready')).status === 200);
  };
  const post = (key: string) =>
    service.call('POST /api/v2/lists', LIST, { authorization: `Bearer ${apiKey}`, 'idempotency-key': key });
  const claims = async (): Promise<number> => {
    const all = await everythingAfter(service.service.host.eventStore, '');
    return all.filter(({ stream }) => /^request-\d+_/.test(stream)).length;
  };
  const generations = async (): Promise<readonly number[]> =>
    (await service.ops('projections.list')).body.projections.map(
      ({ live }: { readonly live: number }) => live,
    );

  beforeAll(async () => {
    await start();
    await service.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
    const { body } = await service.ops('workspace.create', {
      name: 'Keys',
      credits: 10,
      create_key: 'made once',
    });
    apiKey = body.api_key;
    for (let index = 0; index < KEYS; index += 1) expect((await post(`key-${index}`)).status).toBe(201);
    facts = await backupStore(source, join(folder, 'before.db'));
  });

  it('are gone after 48 hours, and no read model is rebuilt for it', async () => {
    expect(await claims()).toBe(KEYS * 3);
    await service.ops('clock.advance', { ms: SHORT_LIVED_MS - 1_000 });
    await service.service.stop();
    await start();
    await service.ops('projections.verify');
    expect(await claims()).toBe(KEYS * 3);
    await service.ops('clock.advance', { ms: 2_000 });
    await service.service.stop();
    await start();
    await soon(
      'the sweep',
      eventually(async () => (await claims()) === 0),
    );
    await service.service.stop();
    await start();
    const live = await generations();
    expect(live.length).toBeGreaterThan(20);
    expect(live).toEqual(live.map(() => 1));
    expect((await service.ops('projections.verify')).body.ok).toBe(true);
    // Claims of operators stay: they prevent a second workspace.
    const again = await service.ops('workspace.create', {
      name: 'Keys',
      credits: 10,
      create_key: 'made once',
    });
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('apikey.issue')]);
  });

  it('are left out by backups and copies, so that these are the same before and after', async () => {
    const after = await backupStore(source, join(folder, 'after.db'));
    const added = after.events - facts.events;
    expect(added).toBeGreaterThanOrEqual(0);
    await service.service.stop();
    const [early, late] = [
      await copyStore(to('before.db'), to('copy.db')),
      await copyStore(source, to('copy.db')),
    ];
    expect([early.events, early.sha256]).toEqual([facts.events, facts.sha256]);
    expect(late).toMatchObject({ alreadyThere: facts.events, copied: late.events - facts.events });
    const restored = await restoreStore({
      from: join(folder, 'before.db'),
      to: source,
      isConfirmed: true,
      skipIds: 0,
    });
    expect(restored.loss?.common).toBe(facts.events);
    await start();
    // The claims in the backup are known again.
    expect((await post('key-0')).headers.get('idempotency-replayed')).toBe('true');
    await service.service.stop();
  });
});
