import { streamName } from '#kernel/commands/decider.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { noFaults, type AppendFault } from '#test/servers/eventstoredb/faults.js';
import {
  startEventStoreDbServer,
  type EventStoreDbServer,
} from '#test/servers/eventstoredb/eventstoredb-server.js';
import { diagnostic } from '#test/support/diagnostic.js';
import { soon } from '#test/support/event-stores.js';
import { killStride } from '#test/support/killed-points.js';
import { openingFile } from '#test/support/opening-files.js';
import { startReadyService, serviceFolder, type ServiceProcess } from '#test/support/service-process.js';

/** More than one stream of subjects. */
const PAID = 1_200;
const CREDITS = 45;
const HELD_UP = 1_000_000;
/** The distance between appends at which the process is killed. */
const STRIDE = killStride(2);
const FILE = openingFile([
  { kind: 'lot', id: 'contract', credits: 40 },
  { kind: 'lot', id: 'gift', credits: 5, expires_at: '2099-03-01', promotional: true },
  ...Array.from({ length: PAID }, (_, index) => ({ kind: 'paid', subject: `post:post:${index}` })),
]);

describe('a process that is killed with kill -9 in the middle of credits.import', () => {
  const folder = serviceFolder('import-kill');
  let server: EventStoreDbServer;
  let service: ServiceProcess;

  const start = (): Promise<ServiceProcess> =>
    startReadyService(folder, 'api,worker', {
      EVENT_STORE_URL: server.url,
      CURSOR_SECRET: 'the same for all of them',
    });
  const ops = (command: string, input: string | object) => service.ops(command, input);
  const importing = (workspaceId: number, mode: 'commit' | 'dry_run' = 'commit') =>
    ops(`credits.import?workspace_id=${workspaceId}&mode=${mode}`, FILE);
  const entries = (workspaceId: number) => server.log.stream(streamName(creditAccount, String(workspaceId)));
  const openings = (workspaceId: number) =>
    entries(workspaceId).filter(({ type }) => type === 'OpeningImported').length;
  const balanceOf = async (workspaceId: number): Promise<number> =>
    (await ops('ledger.as_of', { workspace_id: workspaceId }))?.body.balance.balance;
  const newWorkspace = async (): Promise<number> =>
    (await service.command('workspace.create', { name: 'Moving in' })).workspace_id;

  beforeAll(async () => {
    server = await startEventStoreDbServer();
    service = await start();
  });
  afterAll(() => server.stop());

  /**
   * Kills the process when append number `after` of the import meets the fault, and starts another one; null if the
   * import had fewer appends. Returns whether the opening existed when the process was dead.
   */
  async function killedAfter(
    after: number,
    append: AppendFault,
    workspaceId: number,
  ): Promise<boolean | null> {
    const seen = server.seenAppends.length;
    Object.assign(server.faults, { append, appendAfter: after, appendTimes: HELD_UP });
    let isAnswered = false;
    const asking = importing(workspaceId).finally(() => (isAnswered = true));
    await soon(
      'the append',
      eventually(() => isAnswered || server.seenAppends.length > seen + after),
    );
    const wasWhole = isAnswered;
    if (!wasWhole) await service.kill();
    Object.assign(server.faults, noFaults());
    const answer = await asking;
    if (wasWhole) {
      expect(answer).toMatchObject({ status: 200, body: { ok: true, outcome: 'imported' } });
      return null;
    }
    expect(answer).toBeNull();
    service = await start();
    return openings(workspaceId) === 1;
  }

  it.each(['silence before the write', 'silence after the write'] as const)(
    'IMP-01 P28 has imported all of the file or nothing, and one opening when the file is sent again (%s)',
    async (fault) => {
      const found = { all: 0, nothing: 0 };
      for (let after = 0; ; after += STRIDE) {
        const workspaceId = await newWorkspace();
        const wasThere = await killedAfter(after, fault, workspaceId);
        if (wasThere !== null) {
          found[wasThere ? 'all' : 'nothing'] += 1;
          // Any reader sees all of it, or nothing.
          const seen = await importing(workspaceId, 'dry_run');
          const outcome = wasThere ? 'was imported before' : 'would be imported';
          expect([after, seen?.body.outcome]).toEqual([after, outcome]);
          expect([after, await balanceOf(workspaceId)]).toEqual([after, wasThere ? CREDITS : 0]);
          const again = await importing(workspaceId);
          expect(again).toMatchObject({
            status: 200,
            body: { ok: true, outcome: wasThere ? 'was imported before' : 'imported' },
          });
        }
        expect(await importing(workspaceId)).toMatchObject({ body: { outcome: 'was imported before' } });
        expect([after, openings(workspaceId), await balanceOf(workspaceId)]).toEqual([after, 1, CREDITS]);
        const staged = server.log.all.filter(({ type }) => type === 'PaidSubjectsStaged');
        expect(new Set(staged.map(({ stream }) => stream)).size).toBe(staged.length);
        const verified = await ops('ledger.verify', { workspace_id: workspaceId });
        expect(verified?.body).toMatchObject({ ok: true, differences: [] });
        if (wasThere === null) break;
      }
      diagnostic(JSON.stringify({ fault, ...found }));
      expect(found.nothing).toBeGreaterThan(1);
      if (fault === 'silence after the write') expect(found.all).toBeGreaterThan(0);
    },
  );
});
