import { eventually } from '#test/projections/engine-fixture.js';
import { killCampaign, TRAFFIC, type KillReport } from '../support/kill-campaign.js';
import {
  OPS_TOKEN,
  request,
  startServiceProcess,
  serviceFolder,
  type ServiceProcess,
} from '../support/service-process.js';

const KILLS = Number(process.env['KILLS'] ?? '3');
/** Its first kills come early in the work: later ones may find a fast machine done. */
const SEED = Number(process.env['SEED'] ?? '7');

describe('kill -9', () => {
  it(`loses nothing acknowledged, charges nothing twice and leaves nothing hanging: ${KILLS} kills`, async () => {
    const reports: KillReport[] = [];
    await killCampaign(KILLS, SEED, (report) => reports.push(report));
    expect(reports).toHaveLength(KILLS);
    // The kills fell into the middle of the work.
    for (const traffic of TRAFFIC) {
      const own = reports.filter((report) => report.traffic === traffic);
      expect(own.reduce((sum, { unfinished }) => sum + unfinished, 0)).toBeGreaterThan(0);
    }
    expect(reports.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(KILLS);
  });
});

const folder = serviceFolder('two-services');

describe('two services on one data directory', () => {
  it('both serve, one projects; when that one is killed the other projects and works', async () => {
    const first = await startServiceProcess(folder);
    const second = await startServiceProcess(folder);
    const grant = (service: ServiceProcess, workspaceId: number) =>
      request(`${service.opsUrl}/ops/credits.grant`, OPS_TOKEN, {
        workspace_id: workspaceId,
        credits: 5,
        reason: 'test',
      });
    const created = await request(`${first.opsUrl}/ops/workspace.create`, OPS_TOKEN, {
      name: 'Two',
      credits: 10,
    });
    const { workspace_id: workspaceId, api_key: apiKey } = created?.body ?? {};
    const balance = async (service: ServiceProcess): Promise<number> =>
      (await request(`${service.url}/api/v3/credits/balance`, apiKey))?.body.data.balance;

    // Each shows the writes of the other as soon as they are answered.
    expect((await grant(second, workspaceId))?.status).toBe(200);
    expect([await balance(first), await balance(second)]).toEqual([15, 15]);
    expect((await grant(first, workspaceId))?.status).toBe(200);
    expect([await balance(first), await balance(second)]).toEqual([20, 20]);

    await first.kill();
    expect((await grant(second, workspaceId))?.status).toBe(200);
    await eventually(async () => (await balance(second)) === 25);

    const agent = await request(`${second.url}/api/v2/agents`, apiKey, {
      type: 'keyword_post_search',
      parameters: { tracking_keywords: ['nothing'] },
    });
    const launched = await request(`${second.url}/api/v2/workspace/signal-runs`, apiKey, {
      agent_id: agent?.body.data.id,
    });
    const run = `${second.url}/api/v2/workspace/signal-runs/${launched?.body[0].signal_request_id}`;
    await eventually(async () => (await request(run, apiKey))?.body.stage !== 'running');
    expect((await request(run, apiKey))?.body).toMatchObject({ stage: 'completed', matches_found: 0 });
  });
});
