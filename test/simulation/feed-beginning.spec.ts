import { feedPage } from '#delivery/event-feed.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { setThresholds } from '#ledger/domain/set-thresholds.js';
import { openWebhookScene, type WebhookScene } from '../support/webhook-scene.js';

const HOUR_MS = 3_600_000;

describe('the beginning of a feed without a cursor', () => {
  let scene: WebhookScene;
  beforeAll(async () => {
    scene = await openWebhookScene();
  });
  afterAll(() => scene.house.close());

  it('DLV-03 is the first event recorded at or after a time, also if a later one has an earlier time', async () => {
    const { house } = scene;
    const atHour = (hour: number): Date => new Date(begun + hour * HOUR_MS);
    const begun = house.now().getTime();
    const workspaceId = await house.workspace({ mode: 'self' }, 0);
    const thresholds = setThresholds({ credits: [], days: [] });
    await house.decide(workspaceId, creditAccount, String(workspaceId), thresholds);
    await house.grant(workspaceId, 100, atHour(2).toISOString());
    await scene.happen({ workspaceId }, 2);
    house.advance(HOUR_MS);
    await scene.happen({ workspaceId }, 2);
    house.advance(2 * HOUR_MS);
    await scene.happen({ workspaceId }, 2);
    house.advance(HOUR_MS);
    // The next entry of the ledger records the expiry of the second hour, and that no credits were left then.
    await house.grant(workspaceId, 5);
    const all = await scene.happen({ workspaceId }, 1);
    const hoursOf = (entries: readonly { readonly occurredAt: string }[]): readonly number[] =>
      entries.map(({ occurredAt }) => (Date.parse(occurredAt) - begun) / HOUR_MS);
    expect(hoursOf(all)).toEqual([0, 0, 1, 1, 3, 3, 2, 4]);
    const since = async (hour: number) =>
      hoursOf(
        (
          await feedPage(scene.source(), {
            ...{ workspaceId, types: null, after: null, limit: 50 },
            since: atHour(hour),
          })
        ).entries,
      );
    const soon = 1 / 60;
    expect(await since(-1)).toEqual([0, 0, 1, 1, 3, 3, 2, 4]);
    expect(await since(soon)).toEqual([1, 1, 3, 3, 2, 4]);
    expect(await since(1)).toEqual([1, 1, 3, 3, 2, 4]);
    expect(await since(1 + soon)).toEqual([3, 3, 2, 4]);
    expect(await since(2)).toEqual([3, 3, 2, 4]);
    expect(await since(2 + soon)).toEqual([3, 3, 2, 4]);
    expect(await since(2.5)).toEqual([3, 3, 2, 4]);
    expect(await since(3 + soon)).toEqual([4]);
    expect(await since(4 + soon)).toEqual([]);
  });
});
