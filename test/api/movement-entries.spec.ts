import { importFile, openingFile } from '#test/support/opening-files.js';
import { scene } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

describe('the entries of a movement that granted credits', () => {
  const service = scene({ at: '2026-02-28T09:00:00.000Z' });

  const entriesOf = (movement: Answer['body']): readonly unknown[] =>
    movement.entries.map(({ revision, type }: { readonly revision: number; readonly type: string }) => [
      revision,
      type,
    ]);

  it('LED-03 include every entry in which a part of a lot expired, as a statement shows them', async () => {
    const workspace = await service.workspace({ credits: 10 });
    const workspace_id = workspace.id;
    const lot = { workspace_id, credits: 30, reason: 'welcome', expires_at: '2026-03-01', priority: 10 };
    const { movement_id } = await service.command('credits.grant', lot);
    const shown = async () => workspace.data(`GET /api/v3/credits/movements/${movement_id}`);
    expect(entriesOf(await shown())).toEqual([[2, 'LotGranted']]);
    for (const [key, credits] of [
      ['one', 3],
      ['two', 2],
      ['three', 1],
    ] as const)
      await service.command('credits.hold', { workspace_id, key, credits, product: 'p' });
    await service.setClock('2026-03-01T00:00:00.000Z');
    await service.command('credits.release', { workspace_id, key: 'one' });
    await service.command('credits.release', { workspace_id, key: 'two' });
    await service.command('credits.capture', { workspace_id, key: 'three' });
    const { rows } = await service.command('ledger.statement', { workspace_id });
    const ofLot = rows
      .filter((row: { readonly movement_id: number }) => row.movement_id === movement_id)
      .map(({ revision, kind }: Answer['body']) => [
        revision,
        kind === 'expiry' ? 'LotExpired' : 'LotGranted',
      ]);
    expect(ofLot).toHaveLength(4);
    expect(entriesOf(await shown())).toEqual(ofLot);
    const ofOperator = await service.command('ledger.movement', { workspace_id, movement_id });
    expect(entriesOf(ofOperator)).toEqual(ofLot);
    for (const { entries } of [await shown(), ofOperator])
      expect(entries.map(({ credits }: Answer['body']) => credits)).toEqual([undefined, 24, 3, 2]);
  });

  it('LED-03 name the request that caused them, and none if background work did it by itself', async () => {
    const { id: workspace_id } = await service.workspace({ credits: 1 });
    const lot = { workspace_id, credits: 2, reason: 'welcome', expires_at: '2026-04-01' };
    const answer = await service.ops('credits.grant', lot, { 'x-request-id': 'ticket-7' });
    const rule = { workspace_id, credits: 3, reason: 'monthly', every: 'month', from: '2026-03-20' };
    await service.command('credits.recurring.add', rule);
    await service.setClock('2026-04-01T00:00:00.000Z');
    const { rows } = await service.command('ledger.statement', { workspace_id });
    const given = rows.find(({ credits }: Answer['body']) => credits === 3);
    const requestsOf = async (movement_id: number) => {
      const { entries } = await service.command('ledger.movement', { workspace_id, movement_id });
      return entries.map(({ type, request_id }: Answer['body']) => [type, request_id]);
    };
    expect(await requestsOf(answer.body.movement_id)).toEqual([
      ['LotGranted', 'ticket-7'],
      ['LotExpired', null],
    ]);
    expect(await requestsOf(given.movement_id)).toEqual([['LotGranted', null]]);
  });

  it('IMP-01 include the reversal of an opening, which is not a correction', async () => {
    const workspace = await service.workspace({ credits: undefined });
    const workspace_id = workspace.id;
    const file = openingFile([
      { kind: 'lot', id: 'contract', credits: 20 },
      { kind: 'lot', id: 'welcome', credits: 5, expires_at: '2026-06-01' },
    ]);
    const { body } = await importFile(service, workspace_id, file);
    const [welcome] = (await service.command('ledger.as_of', { workspace_id })).lots;
    await service.command('credits.adjust', { workspace_id, credits: 1, reason: 'x', corrects: welcome.lot });
    await service.command('credits.reverse_import', { workspace_id, reason: 'wrong customer' });
    for (const [movement_id, corrections] of [
      [body.movement_id, []],
      [welcome.lot, [expect.objectContaining({ credits: 1 })]],
    ] as const) {
      const movement = await service.command('ledger.movement', { workspace_id, movement_id });
      expect(entriesOf(movement)).toEqual([
        [1, 'OpeningImported'],
        [3, 'OpeningReversed'],
      ]);
      expect(movement.corrections).toEqual(corrections);
    }
  });
});

describe('the trail of a movement that took credits', () => {
  const service = scene({ at: '2026-02-01T09:00:00.000Z' });

  it('LOT-05 P18 names the lots that paid, also after the hold has ended', async () => {
    const { id: workspace_id } = await service.workspace({ credits: 4 });
    const grant = { workspace_id, reason: 'welcome', priority: 10 };
    const first = await service.command('credits.grant', { ...grant, credits: 3, expires_at: '2026-03-01' });
    const second = await service.command('credits.grant', { ...grant, credits: 8 });
    const held = async (key: string, credits: number): Promise<number> =>
      (await service.command('credits.hold', { workspace_id, key, credits, product: 'p' })).movement_id;
    const lotsOf = async (movement_id: number) =>
      (await service.command('ledger.movement', { workspace_id, movement_id })).lots;
    const ofFirst = (credits: number) => ({
      lot: first.movement_id,
      credits,
      expires_at: '2026-03-01T00:00:00.000Z',
    });
    const ofSecond = (credits: number) => ({ lot: second.movement_id, credits, expires_at: null });
    const one = await held('one', 5);
    const two = await held('two', 1);
    expect([await lotsOf(one), await lotsOf(two)]).toEqual([[ofFirst(3), ofSecond(2)], [ofSecond(1)]]);
    await service.command('credits.capture', { workspace_id, key: 'one' });
    await service.command('credits.release', { workspace_id, key: 'two' });
    expect([await lotsOf(one), await lotsOf(two)]).toEqual([[ofFirst(3), ofSecond(2)], [ofSecond(1)]]);
    const taken = { workspace_id, reason: 'reduced', credits: 2 };
    const withdrawal = await service.command('credits.withdraw', taken);
    const adjustment = await service.command('credits.adjust', { ...taken, credits: -6 });
    expect(await lotsOf(withdrawal.movement_id)).toEqual([ofSecond(2)]);
    // The rest of it is credit without terms.
    expect(await lotsOf(adjustment.movement_id)).toEqual([ofSecond(4)]);
    const plain = await held('plain', 1);
    await service.command('credits.capture', { workspace_id, key: 'plain' });
    expect(await lotsOf(plain)).toBeUndefined();
  });
});
