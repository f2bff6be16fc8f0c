import { setTimeout as delay } from 'node:timers/promises';
import { openManualClock } from '#clock/manual-clock.js';
import { monthFrom } from '#monitoring/domain/months-facts.js';
import { readSettings } from '#runtime/settings.js';
import { openStores } from '#runtime/stores.js';
import { seededRandom } from '../support/seeded-random.js';
import {
  startReadyService,
  startServiceProcess,
  serviceFolder,
  type Reply,
  type ServiceProcess,
} from '../support/service-process.js';
import { storesUnderTest } from '../support/stores-under-test.js';

const SEED = Number(process.env['SEED'] ?? '1');
const MONTHS = Number(process.env['MONTHS'] ?? '2');
const ACCOUNTS = 40;
const PRICE = 5;
const START = '2026-01-31T10:00:00.000Z';
const MANUAL = { CLOCK: 'manual', MONITORING_PASS: 'off' };

const folder = serviceFolder('monitoring-kills');

describe('monitored accounts and kill -9', () => {
  let api: ServiceProcess;
  let worker: ServiceProcess;
  const random = seededRandom(SEED);
  beforeAll(async () => {
    api = await startReadyService(folder, 'api,worker', MANUAL);
    worker = await startServiceProcess(folder, 'worker', MANUAL);
  });

  const ops = (command: string, input: object = {}): Promise<Reply> => api.ops(command, input);
  // The test asserts the shape.
  const must = async (answer: Promise<Reply>) => {
    const reply = await answer;
    if (reply === null || reply.status > 299) throw new Error(`refused: ${JSON.stringify(reply)}`);
    return reply.body;
  };
  const call = (route: string, apiKey: string, body?: object): Promise<Reply> =>
    api.call(apiKey, route, body);

  /** Calls without an answer: the kill fell into the middle of them. */
  let unanswered = 0;
  /** Kills one of the two processes while a call is under way, and starts it again. */
  async function killDuring(going: Promise<Reply>): Promise<void> {
    void going.then((reply) => (unanswered += Number(reply === null)));
    await Promise.race([going, delay(random() * 120)]);
    if (random() < 0.6) {
      await api.kill();
      await going;
      api = await startReadyService(folder, 'api,worker', MANUAL);
    } else {
      await worker.kill();
      await going;
      worker = await startServiceProcess(folder, 'worker', MANUAL);
    }
  }

  type Workspace = { readonly workspace_id: number; readonly api_key: string };
  /** The paid months in the usage list, with their times; none may be given back. */
  async function paidAt({ api_key: apiKey }: Workspace): Promise<readonly string[]> {
    const times: string[] = [];
    for (let cursor = ''; ;) {
      const page = await must(call(`GET /api/v3/usage?limit=100${cursor}`, apiKey));
      for (const { product, status, created_at: at } of page.data) {
        expect([product, status]).toEqual(['account_monitoring', 'captured']);
        times.push(at);
      }
      if (page.meta.cursor.next === null) return times.sort();
      cursor = `&cursor=${encodeURIComponent(page.meta.cursor.next)}`;
    }
  }
  /** All verifications pass, and each month was paid once for each account at its very beginning. */
  async function expectPaid(workspace: Workspace, begins: readonly string[]): Promise<void> {
    const { workspace_id } = workspace;
    await must(ops('work.drain'));
    const expected = begins.flatMap((begin) => Array<string>(ACCOUNTS).fill(begin));
    expect(await paidAt(workspace)).toEqual(expected);
    expect(await must(ops('monitoring.verify', { workspace_id }))).toEqual({
      ok: true,
      units: ACCOUNTS,
      differences: [],
    });
    expect(await must(ops('ledger.verify', { workspace_id }))).toMatchObject({ ok: true, differences: [] });
    expect((await must(call('GET /api/v3/account-monitoring', workspace.api_key))).data).toMatchObject({
      monitored_count: ACCOUNTS,
      not_covered_count: 0,
      monthly_cost_credits: ACCOUNTS * PRICE,
    });
  }

  it(`INV-09 MON-50 MON-52 P14 pay each of ${MONTHS} months once, if either of two workers is killed in the middle of it`, async () => {
    await must(ops('clock.set', { now: START }));
    const workspace = await must(ops('workspace.create', { name: 'Kills', credits: 100_000 }));
    const apiKey: string = workspace.api_key;
    const persona = { job_title: ['CTO'], location: ['France'] };
    await must(call('POST /api/v2/personas', apiKey, persona));
    const list = await must(call('POST /api/v2/lists', apiKey, { type: 'customer', name: 'Key' }));
    const path = `lists/company/${list.data.id}`;
    const members = Array.from({ length: ACCOUNTS }, (_, index) => ({ network_handle: `account-${index}` }));
    await must(call(`POST /api/v2/${path}/members`, apiKey, { members }));

    const essential = { signal_buckets: ['essential'] };
    await killDuring(call(`PUT /api/v3/${path}`, apiKey, essential));
    await must(call(`PUT /api/v3/${path}`, apiKey, essential));
    const begins = [START];
    await expectPaid(workspace, begins);
    // On a fast machine no kill may fall into the middle: then there are more of them.
    for (let month = 1; month <= MONTHS || (unanswered === 0 && month <= 5 * MONTHS); month += 1) {
      const begin = monthFrom(begins.at(-1) ?? START, 31).until;
      begins.push(begin);
      await killDuring(ops('clock.set', { now: begin }));
      await must(ops('clock.set', { now: begin }));
      await expectPaid(workspace, begins);
    }

    expect(unanswered).toBeGreaterThan(0);

    // No process runs for three months: afterwards one month of each account is paid, which begins then.
    await api.kill();
    await worker.kill();
    const late = new Date(Date.parse(begins.at(-1) ?? START) + 100 * 86_400_000);
    await setClock(late);
    api = await startReadyService(folder, 'api,worker', MANUAL);
    worker = await startServiceProcess(folder, 'worker', MANUAL);
    begins.push(late.toISOString());
    await expectPaid(workspace, begins);
    await must(ops('clock.advance', { duration: 'P20D' }));
    await expectPaid(workspace, begins);
  });

  /** Lets time pass while no process runs. */
  async function setClock(now: Date): Promise<void> {
    const stores = await openStores(readSettings({ DATA_DIR: folder, ...(await storesUnderTest(folder)) }));
    const clock = await openManualClock(stores.events, () => undefined);
    await clock.set(now);
    await clock.close();
    await stores.close();
  }
});
