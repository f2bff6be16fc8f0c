import { statSync } from 'node:fs';
import { join } from 'node:path';
import { backupSecrets } from '#runtime/backup-network.js';
import { copySecretStore, openKeptSecrets } from '#runtime/copy-views.js';
import { secretsPlace } from '#runtime/stores.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { completedRun, keywordAgent, observedPerson, observedPost } from '#test/support/observed-network.js';
import { startReceiver, type Receiver } from '#test/support/webhook-receiver.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const ENDPOINTS = '/api/v3/webhook-endpoints';
const ALLOW = { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' };

type Shown = { readonly id: number; readonly enabled: boolean; readonly disabled_reason: string | null };

const folder = temporaryFolder('lost-secrets');

describe('lost signing secrets', () => {
  let service: TestService;
  let receivers: readonly Receiver[];
  beforeAll(async () => {
    service = await startTestService(ALLOW);
    receivers = [await startReceiver(), await startReceiver()];
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  /** The secrets as stored by the service. */
  async function keptSecrets(): Promise<ReadonlyMap<string, string>> {
    const kept = await openKeptSecrets(secretsPlace(service.settings));
    const all = await kept.all();
    await kept.close();
    return all;
  }

  /** `first` runs before the stop. */
  async function restarted(
    between: () => Promise<unknown>,
    first: () => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    const { dataDirectory } = service;
    await first();
    await service.service.stop();
    await between();
    service = await startTestService(ALLOW, dataDirectory);
  }

  it('DLV-04 disables and lists every endpoint at the next start, signs with no other secret, and continues when they are back', async () => {
    const created = await service.workspace();
    const { id, apiKey } = created;
    const workspace: TestWorkspace = {
      ...created,
      call: (route, body, headers) =>
        service.call(route, body, { authorization: `Bearer ${apiKey}`, ...headers }),
    };
    const shown = async (): Promise<readonly Shown[]> => (await workspace.call(`GET ${ENDPOINTS}`)).body.data;
    await service.ingest([observedPerson('ana')]);
    const agentId = await keywordAgent(workspace, 'crm');
    const newRun = async (ref: string): Promise<void> => {
      await service.ingest([observedPost(ref, 'ana', `A CRM, ${ref}`, new Date().toISOString())]);
      await completedRun(service, workspace, agentId);
    };
    for (const receiver of receivers) {
      const { body } = await workspace.call(`POST ${ENDPOINTS}`, { url: receiver.url, types: ['run.ended'] });
      receiver.secrets = [body.data.secret];
    }
    await newRun('before');
    await Promise.all(receivers.map((receiver) => receiver.until(1)));

    const file = join(folder, 'secrets.db');
    expect(await backupSecrets(service.settings, file)).toEqual({ file, secrets: 2 });
    expect(statSync(file).mode & 0o077).toBe(0);
    await expect(backupSecrets(service.settings, file)).rejects.toMatchObject({ name: 'Refusal' });

    const { secrets } = service.service.host.stores;
    const names = [...(await keptSecrets()).keys()];
    await restarted(
      () => Promise.resolve(),
      () => secrets.delete(names),
    );
    await eventually(async () => (await shown()).every(({ enabled }) => !enabled));
    expect((await shown()).map(({ disabled_reason }) => disabled_reason)).toEqual([
      'secret_lost',
      'secret_lost',
    ]);
    await newRun('meanwhile');
    const { body: feed } = await workspace.call('GET /api/v3/events?type=endpoint.disabled');
    expect(feed.data.map(({ data }: { data: Shown }) => data.disabled_reason)).toEqual([
      'secret_lost',
      'secret_lost',
    ]);
    expect((await keptSecrets()).size).toBe(0);
    expect(receivers.map(({ received }) => received.length)).toEqual([1, 1]);

    await restarted(async () => {
      const copied = copySecretStore({ kind: 'sqlite', path: file }, secretsPlace(service.settings));
      expect(await copied).toEqual({ secrets: 2, alreadyThere: 0 });
    });
    // Each receiver verifies with its original secret.
    const late = await Promise.all(receivers.map((receiver) => receiver.until(2)));
    expect(late.map((received) => received[1]?.body)).toEqual(
      late.map((received) =>
        expect.objectContaining({ type: 'run.ended', workspace_id: id, previous_id: received[0]?.id }),
      ),
    );
    expect((await shown()).map(({ enabled }) => enabled)).toEqual([true, true]);
  });
});
