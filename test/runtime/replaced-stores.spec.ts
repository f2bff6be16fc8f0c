import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestService, type TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const PERSON = {
  kind: 'person',
  ref: 'p:late',
  handle: 'late-comer',
  first_name: 'Late',
  last_name: 'Comer',
};

const dataDirectory = temporaryFolder('replaced-stores');

describe('a store file that is replaced or removed while the service has it open', () => {
  const at = (name: string): string => join(dataDirectory, name);
  let service: TestService;
  let workspaceId = 0;

  beforeAll(async () => {
    const files = {
      EVENT_STORE_URL: `sqlite:${at('events.db')}`,
      READ_STORE_URL: `sqlite:${at('views.db')}`,
      NETWORK_STORE_URL: `sqlite:${at('network.db')}`,
    };
    service = await startTestService(files, dataDirectory);
    workspaceId = (await service.workspace({ credits: 10 })).id;
  });
  afterAll(() => service.stop());

  const readiness = async () => {
    const { status, body } = await service.call('GET /health/ready');
    return { status, reasons: body.reasons ?? [] };
  };
  const grant = () => service.ops('credits.grant', { workspace_id: workspaceId, credits: 5, reason: 'late' });
  const balance = async () =>
    (await service.ops('ledger.statement', { workspace_id: workspaceId })).body.closing;
  /** Runs `work` while the store file is missing, or has these bytes, and then puts the file back. */
  const without = async (name: string, text: string | null, work: () => Promise<void>): Promise<void> => {
    renameSync(at(name), at('aside'));
    if (text !== null) writeFileSync(at(name), text);
    try {
      await work();
    } finally {
      rmSync(at(name), { force: true });
      renameSync(at('aside'), at(name));
    }
  };

  it.each([
    ['events.db', 'event store', 'not an export'],
    ['events.db', 'event store', null],
    ['views.db', 'read store', 'not an export'],
    ['network.db', 'network store', null],
  ])('OPS-29 %s: readiness is 503 and names the file, until it is back', async (name, store, text) => {
    expect((await readiness()).status).toBe(200);
    await without(name, text, async () => {
      const what = text === null ? 'was removed' : 'was replaced by another file';
      expect(await readiness()).toEqual({
        status: 503,
        reasons: [expect.stringMatching(new RegExp(`^${store}: .*${name} ${what}`))],
      });
      expect(existsSync(at(name))).toBe(text !== null);
    });
    expect((await readiness()).status).toBe(200);
  });

  it('OPS-29 appends are refused, and none is in the file when it is back', async () => {
    const before = await balance();
    const added = await service.settledEventsOf(async () => {
      await without('events.db', 'not an export', async () => {
        const refused = await grant();
        expect([refused.status, refused.body.status]).toEqual([503, 503]);
      });
    });
    expect(added).toEqual([]);
    expect(await balance()).toBe(before);
    expect((await grant()).status).toBe(200);
    expect(await balance()).toBe(before + 5);
  });

  it('OPS-29 appends and observations are refused while the system does not say which file has the name, and readiness names it', async () => {
    const before = await balance();
    const added = await service.settledEventsOf(async () => {
      for (const [name, store, write] of [
        ['events.db', 'event store', grant],
        ['network.db', 'network store', () => service.ingest([PERSON])],
      ] as const) {
        renameSync(at(name), at('aside'));
        symlinkSync(at(name), at(name));
        try {
          expect([name, (await write()).status]).toEqual([name, 503]);
          expect(await readiness()).toEqual({
            status: 503,
            reasons: [expect.stringMatching(new RegExp(`^${store}: .*${name} cannot be read \\(ELOOP`))],
          });
        } finally {
          rmSync(at(name));
          renameSync(at('aside'), at(name));
        }
      }
    });
    expect([added, await balance()]).toEqual([[], before]);
    expect((await readiness()).status).toBe(200);
  });

  it('OPS-29 observations are refused while network.db has another file', async () => {
    await without('network.db', 'not an export', async () => {
      expect((await service.ingest([PERSON])).status).toBe(503);
    });
    expect((await service.ingest([PERSON])).body).toMatchObject({ accepted: 1 });
  });
});
