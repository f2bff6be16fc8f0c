import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { setBillingMode } from '#ledger/domain/post-credits.js';
import { openServiceHost } from '#runtime/service-host.js';
import { readSettings } from '#runtime/settings.js';
import { cursorSecret, openStores } from '#runtime/stores.js';
import { startTestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { eventsOf } from '#test/support/event-stores.js';

describe('apikey.revoke', () => {
  it('OP-02 takes effect at once in its own process, although valid keys are cached', async () => {
    // Unless NODE_ENV=test, keys are cached for some seconds.
    await using running = await startTestService({ NODE_ENV: 'production' });
    const workspace = await running.workspace();
    expect((await workspace.call('GET /api/v3/credits/balance')).status).toBe(200);
    const revoked = await running.ops('apikey.revoke', { workspace_id: workspace.id, key_id: 1 });
    expect(revoked.status).toBe(200);
    expect((await workspace.call('GET /api/v3/credits/balance')).status).toBe(401);
  });
});

describe('the private listener', () => {
  it('refuses a stream of lines for a command that takes JSON, instead of running it without input', async () => {
    await using running = await startTestService();
    const response = await fetch(`${running.service.opsUrl}/ops/work.drain`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.token}`, 'content-type': 'application/x-ndjson' },
      body: 'not for this command',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ detail: 'The body must be application/json.' });
  });
});

describe('the health of a process without a public listener', () => {
  it('is served without a key on the private one', async () => {
    await using running = await startTestService();
    const ready = await fetch(`${running.service.opsUrl}/health/ready`);
    expect({ status: ready.status, body: await ready.json() }).toEqual({
      status: 200,
      body: (await running.call('GET /health/ready')).body,
    });
    expect((await fetch(`${running.service.opsUrl}/health/live`)).status).toBe(200);
    expect((await fetch(`${running.service.opsUrl}/metrics`)).status).toBe(401);
  });
});

describe('cursor.secret', () => {
  const directory = temporaryFolder('cursor-secret');
  const secret = () => cursorSecret(readSettings({ DATA_DIR: directory }));

  it('is made once, and is never empty or shorter than the setting may be', () => {
    const made = secret();
    expect(made).toMatch(/^[0-9a-f]{64}$/);
    expect(secret()).toBe(made);
    const file = join(directory, 'cursor.secret');
    chmodSync(file, 0o600);
    writeFileSync(file, '');
    expect(secret).toThrow(/cursor\.secret is empty/);
    writeFileSync(file, '0123456789abcde\n');
    expect(secret).toThrow(/cursor\.secret has fewer than 16 characters/);
    writeFileSync(file, '0123456789abcdef\n');
    expect(secret()).toBe('0123456789abcdef');
    rmSync(file);
    mkdirSync(file);
    expect(secret).toThrow(StoreUnavailable);
    expect(secret).toThrow(/cursor\.secret cannot be read \(EISDIR/);
  });
});

describe('a command to a service with embedded stores', () => {
  const directory = temporaryFolder('durable-command');
  it('is durable at the end of the turn of the loop in which it came', async () => {
    let commits = 0;
    const host = await openServiceHost(readSettings({ DATA_DIR: directory }), () => undefined, false, {
      openStores: (settings, options) =>
        openStores(settings, { ...options, onCommitted: () => (commits += 1) }),
    });
    const bill = (mode: 'self' | 'exempt') =>
      host.commands.handle(creditAccount, '1', setBillingMode({ mode }), {
        context: {
          commandId: mode,
          actor: { kind: 'system', id: 'test' },
          workspaceId: 1,
          correlationId: 'test',
        },
        answer: () => mode,
        waitForReadModels: false,
      });
    await bill('self');
    const before = commits;
    const answered = bill('exempt');
    await new Promise((resolve) => setImmediate(resolve));
    expect(commits).toBe(before + 1);
    expect((await answered).answer).toBe('exempt');
    await host.stop();
  });
});

describe('background work', () => {
  const directory = temporaryFolder('background-work');
  it('is started again when its start met a failed store', async () => {
    const troubles: string[] = [];
    const host = await openServiceHost(readSettings({ DATA_DIR: directory }), (what) => troubles.push(what));
    const { append } = host.eventStore;
    let failures = 1;
    Object.assign(host.eventStore, {
      append: (...given: Parameters<typeof append>) =>
        failures-- > 0 ? Promise.reject(new Error('the disk is full')) : append(...given),
    });
    await host.startWork({ doesDueWork: true });
    expect(troubles).toEqual(['start of background work']);
    const catalogue = await eventsOf(host.eventStore, 'catalogue');
    expect(catalogue.map(({ type }) => type)).toContain('TemplateDefined');
    expect(await host.runner.drain()).toEqual({ processed: 0 });
    await host.stop();
  });
});
