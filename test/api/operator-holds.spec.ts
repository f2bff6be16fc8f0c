import { monthKey } from '#monitoring/domain/months-facts.js';
import { scene } from '#test/support/scene.js';

describe('OP-64 a hold of an operator', () => {
  const service = scene({ at: '2026-01-05T10:00:00.000Z' });

  it('OP-71 is released 24 hours later, not a millisecond before, and a late capture is refused', async () => {
    const { id } = await service.workspace({ credits: 100 });
    const held = await service.ops('credits.hold', { workspace_id: id, key: 'k', credits: 40, product: 'p' });
    await service.ops('clock.advance', { ms: 24 * 3_600_000 - 1 });
    const before_ = await service.ops('ledger.as_of', { workspace_id: id });
    expect(before_.body).toMatchObject({ balance: { balance: 60, held: 40 }, open_holds: [{ key: 'k' }] });
    const types = await service.eventsOf(() => service.ops('clock.advance', { ms: 1 }));
    expect(types.filter((type) => type.startsWith('Credits'))).toEqual(['CreditsReleased']);
    const now = await service.ops('ledger.as_of', { workspace_id: id });
    expect(now.body).toMatchObject({ balance: { balance: 100, held: 0 }, open_holds: [] });
    const movement = { workspace_id: id, movement_id: held.body.movement_id };
    expect((await service.ops('credits.capture', movement)).status).toBe(409);
    const again = { workspace_id: id, key: 'k', credits: 40, product: 'p' };
    expect((await service.ops('credits.hold', again)).body).toMatchObject({
      movement_id: movement.movement_id,
      status: 'released',
      replayed: true,
    });
  });

  it('is released at its own time when the clock moves over several days at once', async () => {
    const { id } = await service.workspace({ credits: 100 });
    const hold = (key: string) =>
      service.ops('credits.hold', { workspace_id: id, key, credits: 1, product: 'p' });
    await hold('first');
    await service.advance('PT1H');
    await hold('second');
    const now = Date.parse(service.now());
    await service.advance('P3D');
    const { body } = await service.ops('ledger.statement', { workspace_id: id });
    const released = body.rows.filter(({ kind }: { kind: string }) => kind === 'release');
    expect(released.map(({ key, at }: { key: string; at: string }) => [key, Date.parse(at)])).toEqual([
      ['first', now + 23 * 3_600_000],
      ['second', now + 24 * 3_600_000],
    ]);
  });

  it('OPS-40 the list of holds continues after a hold that has ended since', async () => {
    const { id } = await service.workspace({ credits: 100 });
    const stranger = await service.workspace({ credits: 100 });
    const hold = async (workspaceId: number, key: string): Promise<number> => {
      const wanted = { workspace_id: workspaceId, key, credits: 1, product: 'p' };
      return (await service.ops('credits.hold', wanted)).body.movement_id;
    };
    // Held at the same moment, in the order of their ids.
    for (const key of ['a', 'b', 'c', 'd']) await hold(id, key);
    const list = (input: object = {}) => service.ops('hold.list', { workspace_id: id, limit: 2, ...input });
    const first = await list();
    expect(first.body.holds.map(({ key }: { key: string }) => key)).toEqual(['a', 'b']);
    await service.ops('credits.capture', { workspace_id: id, movement_id: first.body.next });
    const { status, body } = await list({ after: first.body.next });
    expect([status, body.holds.map(({ key }: { key: string }) => key), body.next]).toEqual([
      200,
      ['c', 'd'],
      null,
    ]);
    expect((await list({ after: await hold(stranger.id, 'other') })).status).toBe(422);
  });

  it('OPS-21 OP-27 under the key of a month does not pay the month, whether it is captured or released', async () => {
    await service.command('prices.set', { item: 'bucket:essential', credits: 5 });
    for (const end of ['credits.capture', 'credits.release']) {
      const workspace = await service.workspace({ credits: 100 });
      const { id: workspace_id } = workspace;
      await workspace.persona();
      await workspace.monitor(await workspace.list('customer', ['acme']));
      await service.drain();
      const [unit] = (await workspace.command('monitoring.accounts')).accounts;
      const key = monthKey(unit.company_id, unit.persona_id, unit.covered_until.slice(0, 7));
      const hold = { workspace_id, key, credits: 5, product: 'account_monitoring' };
      const held = await service.command('credits.hold', hold);
      await service.command(end, { workspace_id, key });
      await service.advance('P32D');
      const months = (await workspace.movements()).filter(
        ({ product, status }) => product === 'account_monitoring' && status === 'captured',
      );
      expect([end, months.length]).toEqual([end, end === 'credits.capture' ? 3 : 2]);
      const { body } = await service.ops('monitoring.verify', { workspace_id });
      expect(body).toEqual({ ok: true, units: 1, differences: [] });
      const [{ months: cells }] = (await workspace.command('monitoring.accounts')).accounts;
      const { state, movement_id } = cells.at(-1);
      expect([state, months.some(({ id }) => id === movement_id), movement_id === held.movement_id]).toEqual([
        'paid',
        true,
        false,
      ]);
    }
  });

  it('OPS-23 under a key of a month is no month of monitoring', async () => {
    const { id } = await service.workspace({ credits: 100 });
    const key = monthKey(3, 4, '2026-01');
    await service.ops('credits.hold', { workspace_id: id, key, credits: 1, product: 'p' });
    await service.ops('credits.capture', { workspace_id: id, key });
    const { body } = await service.ops('monitoring.verify', { workspace_id: id });
    expect(body).toEqual({ ok: true, units: 0, differences: [] });
  });
});
