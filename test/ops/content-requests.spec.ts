import { IN_FRANCE, employed, observedCompany, observedPerson } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

describe('OPS-25 contentrequest.retry', () => {
  const service = scene();
  const workspace = sharedWorkspace(service, { credits: 2 });

  beforeAll(async () => {
    await workspace.call('POST /api/v2/personas', { job_title: ['Sales'], location: ['France'] });
    await service.ingest([
      observedCompany('acme'),
      ...['ana', 'bo'].map((name) => observedPerson(name, { ...employed('acme', 'Sales'), ...IN_FRANCE })),
    ]);
  });

  const retry = (request_id: number, workspace_id = workspace.id): Promise<Answer> =>
    service.ops('contentrequest.retry', { workspace_id, request_id });
  const stageOf = async (requestId: number): Promise<readonly unknown[]> => {
    await service.drain();
    const { body } = await workspace.call(`GET /api/v2/account-mapping/${requestId}/stage`);
    return [body.stage, body.failed_reason];
  };
  const newest = async (): Promise<number> => {
    await service.drain();
    const route =
      'GET /api/v2/content-requests?type=account_mapping&stage=account_mapping_failed&stage=completed';
    return (await workspace.call(route)).body.data[0].id;
  };

  it('repeats a request of a top account as a new request', async () => {
    const account = { network_url: 'https://www.network.example/company/later' };
    await workspace.call('POST /api/v2/top-account-list/accounts', { accounts: [account] });
    const failed = await newest();
    expect(await stageOf(failed)).toEqual(['account_mapping_failed', 'no_employee_resolved']);
    const { status, body } = await retry(failed);
    expect([status, body.request_id === failed]).toEqual([200, false]);
    expect(await stageOf(body.request_id)).toEqual(['account_mapping_failed', 'no_employee_resolved']);
    expect((await retry(failed)).status).toBe(409);
    await service.ingest([
      observedCompany('later'),
      observedPerson('lea', { ...employed('later', 'Sales'), ...IN_FRANCE }),
    ]);
    const third = (await retry(body.request_id)).body.request_id;
    expect(await stageOf(third)).toEqual(['completed', null]);
    expect((await retry(third)).status).toBe(409);
  });

  it('launches a mapping that a caller requested again, and its costs are paid', async () => {
    await workspace.command('credits.grant', { credits: 2, reason: 'for two' });
    const { body: launched } = await workspace.call('POST /api/v2/enrich-company-mapping', {
      domain: 'acme.com',
    });
    expect(await stageOf(launched.request_id)).toEqual(['account_mapping_failed', 'insufficient_credits']);
    await workspace.command('credits.grant', { credits: 5, reason: 'for all' });
    const { status, body } = await retry(launched.request_id);
    expect(status).toBe(200);
    expect(await stageOf(body.request_id)).toEqual(['completed', null]);
    expect((await retry(launched.request_id)).status).toBe(409);
  });

  it('does not find a request of another workspace', async () => {
    const other = await service.workspace();
    const added = await service.settledEventsOf(async () => {
      expect((await retry(await newest(), other.id)).status).toBe(404);
      expect((await retry(9_999_999)).status).toBe(404);
    });
    expect(added).toEqual([]);
  });
});
