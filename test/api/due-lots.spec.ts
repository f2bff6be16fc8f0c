import { soon } from '#test/support/event-stores.js';
import { heldCalls, includesType } from '#test/support/held-calls.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

describe('a lot that is due and whose expiry is not recorded yet', () => {
  const held = heldCalls();
  const service = scene({ at: '2026-02-28T10:00:00.000Z', outside: held.outside });
  const workspace = sharedWorkspace(service, { credits: 10 });

  it('INV-07 LOT-02 is recorded by a statement, and not by one that is refused', async () => {
    const { id: workspace_id } = workspace;
    const lot = { workspace_id, credits: 5, reason: 'welcome', expires_at: '2026-03-01' };
    await service.command('credits.grant', lot);
    held.hold(
      (method, parameters) =>
        method === 'append' && parameters.some((each) => includesType(each, 'LotExpired')),
    );
    const waiting = service.setClock('2026-03-01T00:00:00.000Z');
    await held.reached();
    const statusOf = async (query: string) =>
      (await workspace.call(`GET /api/v3/credits/statement${query}`)).status;
    const answers: unknown[] = [];
    for (const query of ['?revision=999999', '?from=2026-03-02&to=2026-03-01'])
      // A statement that records the expiry waits for the entry that is held.
      answers.push(await soon('the refusal', statusOf(query)));
    held.release();
    await waiting;
    expect(answers).toEqual([400, 400]);
    const { body } = await workspace.call('GET /api/v3/credits/statement');
    expect(body.statement).toMatchObject({ closing: 10, expired: 5 });
  });
});
