import { randomUUID } from 'node:crypto';
import type { ExpectedRevision } from '#kernel/ports/event-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import { endedCli, jsonOf, onData } from '#test/support/cli.js';
import { financeOf } from '#test/support/console-scene.js';
import { expectPage } from '#test/support/console-visitor.js';
import { LONGEST_WAIT_MS } from '#test/support/event-stores.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const METADATA = { recordedAt: '2026-05-14T10:00:00.000Z', schemaVersion: '1' };
const OF_NEWER_PROGRAM = { ...METADATA, schemaVersion: '99' };

describe('figures of read models that are stopped', () => {
  const service = scene({ at: '2026-05-14T10:00:00.000Z' });
  const parked = sharedWorkspace(service, { credits: 10 });
  const unreadable = sharedWorkspace(service, { credits: 10 });
  const other = sharedWorkspace(service, { credits: 20 });
  const finance = financeOf(service);

  /** Appends an event, as a faulty program would, at the end of a stream. */
  async function append(
    stream: string,
    type: string,
    data: JsonObject,
    metadata: { readonly [name: string]: string },
  ): Promise<void> {
    const { eventStore, progress } = service.service.host;
    let revision: ExpectedRevision = 'no-stream';
    for await (const batch of eventStore.readStream(stream))
      for (const event of batch) revision = event.revision;
    const { position } = await eventStore.append(stream, revision, [
      { id: randomUUID(), type, data, metadata },
    ]);
    await progress.reached({ position, types: [type], workspaceId: null }, LONGEST_WAIT_MS);
  }

  describe('for one workspace', () => {
    const note = (id: number, names: string): string =>
      `The newest entries of workspace ${id} may be missing. Read models that are stopped for it: ${names}.`;
    const of = (id: number) => ({ ...METADATA, workspaceId: String(id) });
    const ofList = (): string => note(unreadable.id, 'credit-balances, credit-days');
    beforeAll(async () => {
      await append(`credits-${unreadable.id}`, 'CreditsGranted', { movementId: 'faulty' }, of(unreadable.id));
      await append(`credits-${parked.id}`, 'CreditsCaptured', { movementId: 987_654_321 }, of(parked.id));
    });

    it('OPS-43 the listener names them in notes, of a list and of a command about that workspace', async () => {
      const list = await service.ops('workspace.list', { with: 'spend' });
      expect([list.status, list.body.notes]).toEqual([200, [ofList()]]);
      const own = await service.ops('ledger.movements', { workspace_id: parked.id, agent_id: 1 });
      expect([own.status, own.body.notes]).toEqual([200, [note(parked.id, 'credit-movements')]]);
      const others = await service.ops('ledger.movements', { workspace_id: other.id, agent_id: 1 });
      expect([others.status, others.body.notes]).toEqual([200, undefined]);
    });

    it('OPS-43 the command line prints the same notes', async () => {
      const listed = ['workspace', 'list', '--with', 'spend'];
      const onThis = onData(service.dataDirectory);
      expect(jsonOf(await endedCli([...listed, '--json'], onThis)).notes).toEqual([ofList()]);
      const { lines } = await endedCli(listed, onThis);
      expect(lines).toContainEqual(expect.stringContaining(ofList()));
    });

    it('CON-21 the pages of the console that show several workspaces name them in the same words', async () => {
      for (const page of ['/console', '/console?by=balance'])
        expectPage(await finance.get(page), 200, ofList());
      const charges = (id: number): string => `/console/workspaces/${id}/charges?company=1`;
      expectPage(await finance.get(charges(parked.id)), 200, note(parked.id, 'credit-movements'));
      expect((await finance.get(charges(other.id))).text).not.toContain('may be missing');
    });

    it('CON-21 a file from them is refused with the same words, because it has no place for them', async () => {
      for (const file of ['/console/workspaces.csv', '/console/workspaces.csv?by=balance']) {
        const refused = await finance.get(file);
        expectPage(refused, 503, '<h1>Not done</h1>', 'The file would not be complete.', ofList());
        expect(refused.headers.get('content-disposition')).toBeNull();
        // Nothing changes before an operator acts.
        expect(refused.headers.get('retry-after')).toBeNull();
      }
    });
  });

  it('OPS-43 CON-21 a read model that is stopped for all workspaces is named too', async () => {
    const note = 'The newest entries may be missing. Read models that are stopped: partners.';
    await append('partner-999999', 'PartnerCreated', {}, OF_NEWER_PROGRAM);
    expect((await service.ops('partner.list')).body.notes).toEqual([note]);
    expectPage(await finance.get('/console/prices'), 200, note);
  });
});
