import { eventually } from '#test/projections/engine-fixture.js';
import { agentAbout, endedRun } from '../support/process-runs.js';
import { killCampaign, TRAFFIC, type KillReport } from '../support/kill-campaign.js';
import { startReadyService, serviceFolder, type ServiceProcess } from '../support/service-process.js';

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
    const first = await startReadyService(folder);
    const second = await startReadyService(folder);
    const grant = (service: ServiceProcess) =>
      service.command('credits.grant', { workspace_id: workspaceId, credits: 5, reason: 'test' });
    const created = await first.command('workspace.create', { name: 'Two', credits: 10 });
    const { workspace_id: workspaceId, api_key: apiKey } = created;
    const balance = async (service: ServiceProcess): Promise<number> =>
      (await service.call(apiKey, 'GET /api/v3/credits/balance'))?.body.data.balance;

    // Each shows the writes of the other as soon as they are answered.
    await grant(second);
    expect([await balance(first), await balance(second)]).toEqual([15, 15]);
    await grant(first);
    expect([await balance(first), await balance(second)]).toEqual([20, 20]);

    await first.kill();
    await grant(second);
    await eventually(async () => (await balance(second)) === 25);

    const agentId = await agentAbout('nothing', second, apiKey);
    expect(await endedRun(second, apiKey, agentId)).toMatchObject({ stage: 'completed', matches_found: 0 });
  });
});
