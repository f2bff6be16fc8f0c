import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '#test/support/service.js';

/** The whole service with its events on an EventStoreDB, which may hold those of other runs. */
export function eventStoreDbServiceCases(url: () => string): void {
  it('provisions, grants, answers the balance and verifies the ledger, and again after a restart on empty views', async () => {
    const environment = { EVENT_STORE_URL: url(), CURSOR_SECRET: randomUUID() };
    const first = await startTestService(environment);
    const workspace = await first.workspace({ credits: 250 });
    const types = await first.eventsOf(() =>
      first.ops('credits.grant', {
        workspace_id: workspace.id,
        credits: 50,
        reason: 'goodwill',
        grant_key: 'june',
      }),
    );
    expect(types).toContain('CreditsGranted');
    const before = await usageOf(first, workspace.apiKey);
    expect(before.status).toBe(200);
    await first.stop();

    const second = await startTestService(environment);
    const after = await usageOf(second, workspace.apiKey);
    const verified = await second.ops('ledger.verify', { workspace_id: workspace.id });
    await second.stop();
    expect(after).toEqual(before);
    expect(verified.body).toMatchObject({ ok: true, differences: [] });
  });
}

async function usageOf(
  service: TestService,
  apiKey: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { status, body } = await service.call('GET /api/v3/usage', undefined, {
    authorization: `Bearer ${apiKey}`,
  });
  return { status, body };
}
