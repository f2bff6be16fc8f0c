import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { firstEvent } from '#kernel/commands/log-identity.js';
import { creditBalances } from '#projections/ledger/credit-balances/credit-balances.projection.js';
import { projections } from '#projections/index.js';
import { houseRoot } from '#test/house/house.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const GOLDEN = join(houseRoot, 'test', 'restore', 'golden');
/** The workspace of the golden directory: six holds of 5, three of them captured, and three personas. */
const WORKSPACE = 1;
/**
 * The last moment of the golden directory. Its clock continues from there: a day later the open holds have expired.
 */
const LEFT_AT = Date.parse('2026-11-22T08:48:28Z');

const folder = temporaryFolder('earlier');

describe('a data directory of a version before logs had an identity', () => {
  let service: TestService;
  beforeAll(async () => {
    for (const name of ['events.db', 'views.db']) {
      writeFileSync(join(folder, name), gunzipSync(readFileSync(join(GOLDEN, `${name}.gz`))));
    }
    const startedAt = performance.now();
    const clock = { now: () => new Date(LEFT_AT + performance.now() - startedAt) };
    service = await startTestService({}, folder, { clock });
  });
  afterAll(() => service.stop());

  it('gets one: the id of its first event, so that all of its backups have the same log', async () => {
    const { eventStore, logId } = service.service.host;
    expect(logId).toBe((await firstEvent(eventStore))?.id);
    expect((await service.call('GET /health/ready')).body).toMatchObject({ status: 'ready', log: logId });
  });

  it('continues with its read models, and names the events of their checkpoints', async () => {
    const { stores, readModels } = service.service.host;
    expect(await readModels.get(creditBalances, String(WORKSPACE))).not.toBeNull();
    for (const view of projections) {
      const { live } = await stores.reads.generations(view);
      // A view at rest gets the event at the next look of its projector.
      await eventually(async () => {
        const checkpoint = await stores.reads.checkpoint({ view, generation: live ?? 0 });
        return typeof checkpoint?.event?.id === 'string';
      });
    }
  });

  it('loses nothing', async () => {
    const issued = await service.ops('apikey.issue', { workspace_id: WORKSPACE, label: 'golden' });
    const headers = { authorization: `Bearer ${issued.body.api_key}` };
    const balance = await service.call('GET /api/v3/credits/balance', undefined, headers);
    expect(balance.body.data).toMatchObject({ balance: 970, held: 15, captured: 15 });
    const personas = await service.call('GET /api/v2/personas', undefined, headers);
    expect(personas.body.data.map(({ id }: { readonly id: number }) => id).sort()).toEqual([1, 2, 3]);
    expect((await service.ops('ledger.verify', { workspace_id: WORKSPACE })).body.ok).toBe(true);
    expect((await service.ops('projections.verify')).body.ok).toBe(true);
  });

  it('knows from the log the highest ids given', async () => {
    const marks = await service.service.host.stores.reads.listRecords<number>('id-mark', 'persona/', 10);
    expect(marks.map(({ value }) => value)).toEqual([expect.any(Number)]);
    expect(marks[0]?.value).toBeGreaterThanOrEqual(3);
  });
});
