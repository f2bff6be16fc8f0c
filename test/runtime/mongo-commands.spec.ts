import { dropDatabase, freshDatabaseUrl, mongoServer } from '#test/contract/mongo-read-store.fixture.js';
import { eventually } from '#test/projections/engine-fixture.js';
import {
  isQuery,
  isUpdate,
  watchedMongoCommands,
  type MongoCommand,
  type MongoCommands,
} from '#test/support/mongo-commands.js';
import { observedCompany } from '#test/support/observed-network.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { foundTopAccount } from '#test/support/top-accounts.js';

const ACCOUNTS = 15;
const TRIES = 3;
/** Leases, notes of rebuilds and retries, and what the network learned. */
const OF_EVERY_BEAT: ReadonlySet<string> = new Set(['reads.leases', 'reads.records', 'network.learning']);
/** The leases of a process are renewed together, once a second. */
const isRenewal = (command: MongoCommand): boolean =>
  isUpdate(command) && command.collection === 'reads.leases';

if (mongoServer !== null) {
  const server = mongoServer;
  describe('calls of a service to its MongoDB', () => {
    let commands: MongoCommands;
    let url: string;
    let service: TestService;
    let workspace: TestWorkspace;
    beforeAll(async () => {
      commands = watchedMongoCommands();
      const watched = new URL(freshDatabaseUrl(server));
      watched.searchParams.set('monitorCommands', 'true');
      url = watched.href;
      service = await startTestService({ READ_STORE_URL: url, NETWORK_STORE_URL: url });
      workspace = await service.workspace();
      const handles = Array.from({ length: ACCOUNTS }, (_, index) => `acme-${index}`);
      await service.ingest(handles.map((handle) => observedCompany(handle)));
      for (const handle of handles) await foundTopAccount(service, workspace, handle);
      await service.ops('work.drain');
    });
    afterAll(async () => {
      await service.stop();
      commands.end();
      await dropDatabase(url);
    });

    /** The commands sent by this work, without those of the periodic beats. */
    async function sentBy(work: () => Promise<unknown>): Promise<readonly MongoCommand[]> {
      const before = commands.seen().length;
      await work();
      return commands
        .seen()
        .slice(before)
        .filter(({ collection }) => !OF_EVERY_BEAT.has(collection));
    }

    /** The shortest of several lists: other work of the process may have added to some. */
    const shortest = (lists: readonly (readonly MongoCommand[])[]): readonly string[] =>
      lists.toSorted((left, right) => left.length - right.length)[0]?.map(({ text }) => text) ?? [];

    it.each([
      ['GET /api/v3/credits/balance', 1, 200],
      ['GET /api/v2/leads/424242', 1, 404],
      ['GET /api/v3/signal-setups', 3, 200],
      ['GET /api/v2/top-account-list/accounts', 6, 200],
    ])('%s needs %d queries at most', async (route, most, status) => {
      // The locations of the read models are read once per process.
      await workspace.call(route);
      const tries: (readonly MongoCommand[])[] = [];
      for (let call = 0; call < TRIES; call += 1) {
        const sent = await sentBy(async () => {
          expect(await workspace.call(route)).toHaveProperty('status', status);
        });
        tries.push(sent.filter(isQuery));
      }
      const queries = shortest(tries);
      expect(queries.length).toBeGreaterThan(0);
      expect(queries.slice(most)).toEqual([]);
    });

    it('a single hold updates at most four times', async () => {
      const tries: (readonly MongoCommand[])[] = [];
      for (let call = 0; call < TRIES; call += 1) {
        const hold = { workspace_id: workspace.id, credits: '1', product: 'match', key: `lone ${call}` };
        const sent = await sentBy(async () => {
          expect(await service.ops('credits.hold', hold)).toHaveProperty('status', 200);
        });
        tries.push(sent.filter(isUpdate));
      }
      const updates = shortest(tries);
      expect(updates.join('\n')).toContain('credit-balances');
      expect(updates.slice(4)).toEqual([]);
    });

    it('an idle second has at most three queries and two updates', async () => {
      await service.ops('work.drain');
      const renewals = (): readonly number[] =>
        commands.seen().flatMap((command, at) => (isRenewal(command) ? [at] : []));
      const known = renewals().length;
      await eventually(() => renewals().length > known + TRIES + 1);
      const beats = renewals().slice(-TRIES - 1);
      const seconds = beats.slice(1).map((until, index) => commands.seen().slice(beats[index], until));
      const queries = shortest(seconds.map((second) => second.filter(isQuery)));
      const updates = shortest(seconds.map((second) => second.filter(isUpdate)));
      expect([queries.slice(3), updates.slice(2)]).toEqual([[], []]);
      expect(queries.join('\n')).toContain('log-set-back');
      expect(updates.length).toBeGreaterThan(0);
    });
  });
}
