import { rotateSecret, webhookEndpoints } from '#delivery/domain/webhooks/webhook-endpoints.js';
import { laneHost } from '#delivery/webhooks/lane-host.js';
import { newSigningSecret } from '#delivery/webhooks/signing.js';
import { openWebhookScene, type WebhookScene } from '../support/webhook-scene.js';

describe('the secrets of a webhook endpoint', () => {
  let scene: WebhookScene;
  beforeAll(async () => {
    scene = await openWebhookScene();
  });
  afterAll(() => scene.house.close());

  it('DLV-04 are its present ones if two rotations have deleted the one that a queue knows', async () => {
    const asQueueKnows = await scene.endpoint();
    const { id, workspaceId } = asQueueKnows;
    const [entry] = await scene.happen(asQueueKnows, 1);
    if (entry === undefined) throw new Error('an event happened');
    const rotatedAt = scene.house.now().toISOString();
    const previousUntil = '2026-03-02T12:00:00.000Z';
    for (const secretId of ['first', 'second']) {
      const rotation = rotateSecret({ endpointId: id, secretId, previousUntil, rotatedAt });
      await scene.house.decide(workspaceId, webhookEndpoints, String(workspaceId), rotation);
    }
    await scene.house.caughtUp();
    const kept = new Map([
      ['first', newSigningSecret()],
      ['second', newSigningSecret()],
    ]);
    const signatures: number[] = [];
    const host = laneHost(
      {
        source: scene.source(),
        readModels: scene.house.reads,
        reads: scene.house.reads,
        commands: scene.house.operator.commands,
        secrets: { get: async (names) => new Map([...kept].filter(([name]) => names.includes(name))) },
        outbound: {
          request: async ({ headers = {} }) => {
            signatures.push(headers['webhook-signature']?.split(' ').length ?? 0);
            const rest = {
              headers: {},
              url: '',
              movedTo: null,
              usedException: false,
              discard: () => undefined,
            };
            return { status: 204, body: (async function* () {})(), ...rest };
          },
        },
        now: scene.house.now,
        nowMs: () => Date.parse('2026-03-01T12:00:00.000Z'),
        random: () => 0,
        later: () => () => undefined,
        onAttempt: () => undefined,
        onTrouble: (_, error) => {
          throw error;
        },
      },
      () => undefined,
    );
    const attempt = () => host.attempt(asQueueKnows, entry, null, new AbortController().signal);
    expect(await attempt()).toMatchObject({ outcome: 'delivered' });
    expect(signatures).toEqual([2]);
    kept.delete('second');
    expect(await attempt()).toBeNull();
    expect(signatures).toEqual([2]);
  });
});
