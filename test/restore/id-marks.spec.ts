import { createIds, lastReserved, skipIds } from '#kernel/commands/ids.js';
import { systemClock } from '#kernel/ports/clock.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { openIdMarks } from '#runtime/id-marks.js';
import { openVault, type Vault } from './vault.js';

describe('ids after the log was set back', () => {
  let vault: Vault;
  let reads: ReadStore;
  const idsOf = async (through: ReadStore = reads) => {
    const events = vault.events();
    return createIds(events, systemClock, await openIdMarks(events, through));
  };
  beforeEach(async () => {
    vault = await openVault();
    reads = await vault.reads();
  });
  afterEach(() => vault.close());

  it('begin above every id that was given, in the same process and in the next', async () => {
    const running = await idsOf();
    const given = new Set(await running.nextMany('movement', 30));
    const backup = vault.backup();
    for (const id of await running.nextMany('movement', 300)) given.add(id);
    await vault.restore(backup);
    const next = await idsOf();
    for (const id of await next.nextMany('movement', 300)) {
      expect(given).not.toContain(id);
      given.add(id);
    }
    expect(given.size).toBe(630);
  });

  it('begin above the ids that another process has given meanwhile', async () => {
    const [left, right] = [await idsOf(), await idsOf(await vault.reads())];
    const backup = vault.backup();
    const given = new Set(await left.nextMany('persona', 5));
    for (const id of await right.nextMany('persona', 100)) given.add(id);
    await vault.restore(backup);
    const third = await idsOf();
    for (const id of await third.nextMany('persona', 50)) expect(given).not.toContain(id);
  });

  it('keep only the highest mark of each kind, in any order of writes', async () => {
    const marks = await openIdMarks(vault.events(), reads);
    await marks.raise('lead', 500);
    await marks.raise('lead', 20);
    expect(await reads.listRecords('id-mark', 'lead/', 10)).toMatchObject([{ value: 500 }]);
    expect(await marks.highest('lead')).toBe(500);
    expect(await marks.highest('list')).toBe(0);
  });

  it('are given with the read store away, and the mark is stored when it is back', async () => {
    let isAway = false;
    const failing: ReadStore = {
      ...reads,
      putRecord: async (...record) => {
        if (isAway) throw new StoreUnavailable('away');
        await reads.putRecord(...record);
      },
    };
    const ids = await idsOf(failing);
    isAway = true;
    const last = Math.max(...(await ids.nextMany('content', 40)));
    isAway = false;
    await ids.next('company');
    const [mark] = await reads.listRecords<number>('id-mark', 'content/', 10);
    expect(mark?.value).toBeGreaterThanOrEqual(last);
  });

  it('are skipped when the highest given id is unknown', async () => {
    const events = vault.events();
    await (await idsOf()).next('movement');
    const before = await lastReserved(events, 'movement');
    await skipIds(events, systemClock, 1_000);
    expect(await lastReserved(events, 'movement')).toBe(before + 1_000);
    expect(await lastReserved(events, 'mapping')).toBe(1_000);
    expect(await createIds(events, systemClock).next('movement')).toBe(before + 1_001);
  });
});
