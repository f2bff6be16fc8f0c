import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { apiKeyUses, noteApiKeyUses } from './api-key-uses.js';

/** Records in memory, written when the test says so. */
function fixture() {
  const records = new Map<string, unknown>();
  const writes: string[] = [];
  const troubles: unknown[] = [];
  let nowMs = Date.parse('2026-01-05T10:00:00.000Z');
  let fault: Error | null = null;
  let gate: Promise<void> = Promise.resolve();
  const reads = {
    putRecord: async (kind: string, key: string, value: unknown): Promise<void> => {
      writes.push(key);
      await gate;
      if (fault !== null) throw fault;
      records.set(`${kind}/${key}`, value);
    },
    getRecord: async <T>(kind: string, key: string): Promise<T | null> =>
      (records.get(`${kind}/${key}`) as T | undefined) ?? null,
  };
  const note = noteApiKeyUses(reads, { now: () => new Date(nowMs) }, (error) => troubles.push(error));
  return {
    writes,
    troubles,
    note,
    uses: apiKeyUses(reads),
    advance: (ms: number) => (nowMs += ms),
    failWith: (error: Error | null) => (fault = error),
    hold: (): (() => void) => {
      let open = (): void => undefined;
      gate = new Promise((resolve) => (open = resolve));
      return open;
    },
  };
}

/** Later writes are not awaited: running ones complete before this resolves. */
const written = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the uses of API keys', () => {
  it('are on record before the first request continues', async () => {
    const { note, uses, writes } = fixture();
    await note(7);
    expect(await uses.lastUses([7, 8])).toEqual(new Map([[7, '2026-01-05T10:00:00.000Z']]));
    expect(writes).toEqual(['7']);
  });

  it('are written at most once per minute and key, without a wait', async () => {
    const { note, uses, writes, advance } = fixture();
    await note(7);
    await note(8);
    advance(59_999);
    expect([note(7), note(8)]).toEqual([null, null]);
    expect(writes).toEqual(['7', '8']);
    advance(1);
    expect([note(7), note(7)]).toEqual([null, null]);
    expect(writes).toEqual(['7', '8', '7']);
    await written();
    expect((await uses.lastUses([7])).get(7)).toBe('2026-01-05T10:01:00.000Z');
  });

  it('make every request wait that comes while the first is being written, and none twice', async () => {
    const { note, writes, hold } = fixture();
    const open = hold();
    let done = 0;
    const waiting = [note(7), note(7), note(7)].map(async (noted) => {
      expect(noted).not.toBeNull();
      await noted;
      done += 1;
    });
    await Promise.resolve();
    expect([done, writes]).toEqual([0, ['7']]);
    open();
    await Promise.all(waiting);
    expect([done, writes]).toEqual([3, ['7']]);
  });

  it('refuse no request while the read store is unavailable, and are written with the next use', async () => {
    const { note, uses, failWith, troubles } = fixture();
    failWith(new StoreUnavailable('away', 'nothing-written'));
    await note(7);
    expect([(await uses.lastUses([7])).size, troubles]).toEqual([0, []]);
    failWith(null);
    await note(7);
    expect([...(await uses.lastUses([7])).keys()]).toEqual([7]);
  });

  it('report an error other than an unavailable store', async () => {
    const { note, failWith, troubles } = fixture();
    const fault = new TypeError('broken');
    failWith(fault);
    await note(7);
    expect(troubles).toEqual([fault]);
  });

  it('are noted also where the clock was set back', async () => {
    const { note, uses, advance } = fixture();
    await note(7);
    advance(-3_600_000);
    await note(7);
    await written();
    expect((await uses.lastUses([7])).get(7)).toBe('2026-01-05T09:00:00.000Z');
  });
});
