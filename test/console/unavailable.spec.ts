import { losableReadStore } from '#test/bad-days/other-stores.js';
import { addedMaria } from '#test/support/console-scene.js';
import { actionPath, expectPage, hiddenFields, signedIn } from '#test/support/console-visitor.js';
import { startTestService } from '#test/support/service.js';

describe('the console while a store is unavailable', () => {
  it('CON-02 answers pages, forms and files with a page of status 503 that has the reason and Retry-After', async () => {
    const { openStores, takeAway, bringBack } = losableReadStore();
    await using service = await startTestService({}, undefined, { openStores });
    const { id } = await service.workspace({ credits: 5 });
    const visitor = await signedIn(service, await addedMaria(service));
    const adjust = actionPath('credits.adjust', { workspace_id: id, credits: '2', reason: 'late' });
    const form = hiddenFields((await visitor.get(adjust)).text);
    takeAway();
    const refused = [
      await visitor.get('/console'),
      await visitor.get(`/console/workspaces/${id}/ledger`),
      await visitor.get('/console/workspaces.csv'),
      await visitor.get(adjust),
    ];
    for (const page of refused) {
      expectPage(page, 503, '<h1>Not done</h1>', 'at the moment; try again.', 'href="/console"');
      expect([page.headers.get('content-type'), page.headers.get('retry-after')]).toEqual([
        'text/html; charset=utf-8',
        '1',
      ]);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    bringBack();
    const sent = await visitor.send('/console/actions/credits.adjust', form);
    expect(sent.status).toBe(303);
    const { body } = await service.ops('workspace.show', { workspace_id: id });
    expect(body.balance.balance).toBe(7);
  });
});
