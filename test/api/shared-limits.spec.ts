import { freeLease } from '#test/support/free-lease.js';
import { keywordAgent } from '#test/support/observed-network.js';
import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';

const NOW = '2026-06-01T10:00:20.000Z';

describe('limits that apply across two services on the same stores', () => {
  let first: TestService;
  let second: TestService;
  beforeAll(async () => {
    first = await startTestService({ CLOCK: 'manual' });
    await first.ops('clock.set', { now: NOW });
    second = await startTestService({ CLOCK: 'manual' }, first.dataDirectory);
  });
  afterAll(async () => {
    await second.service.stop();
    await first.stop();
  });

  const asked = (
    service: TestService,
    { apiKey }: TestWorkspace,
    route: string,
    body: object,
  ): Promise<Answer> => service.call(route, body, { authorization: `Bearer ${apiKey}` });
  const previewed = async (service: TestService, workspace: TestWorkspace): Promise<number> =>
    (await asked(service, workspace, 'POST /api/v3/keywords/preview', { keywords: ['nothing'] })).status;

  it('QUO-03 previews are 60 a minute for both together, even if they begin at once', async () => {
    const workspace = await first.workspace();
    const statuses = await Promise.all(
      Array.from({ length: 70 }, (_, at) => previewed(at % 2 === 0 ? first : second, workspace)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    for (const service of [first, second]) expect(await previewed(service, workspace)).toBe(429);
    expect(await previewed(second, await first.workspace())).toBe(200);
  });

  it('QUO-01 one quote of a workspace is made at a time, on either service', async () => {
    const workspace = await first.workspace();
    const agent_id = await keywordAgent(workspace, 'crm');
    const quoted = async (service: TestService): Promise<Answer> =>
      asked(service, workspace, 'POST /api/v2/workspace/signal-runs/quote', { agent_id });
    const { reads } = first.service.host.stores;
    const turn = `quote:${workspace.id}`;
    await reads.acquireLease(turn, 'another process', 60_000);
    for (const service of [first, second]) {
      const { status, headers } = await quoted(service);
      expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    }
    await freeLease(reads, turn);
    for (const service of [second, first]) expect((await quoted(service)).status).toBe(200);
    // The turn of a killed process ends with its lease.
    await reads.acquireLease(turn, 'a process that ended', 0);
    expect((await quoted(second)).status).toBe(200);
  });
});
