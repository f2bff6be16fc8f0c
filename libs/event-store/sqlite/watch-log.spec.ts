import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchLog } from './watch-log.js';

describe('the watch over the log of a database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signal-ledger-log-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('reports a write to the log', async () => {
    const path = join(folder, 'events.db');
    writeFileSync(`${path}-wal`, '');
    const ends: (() => void)[] = [];
    await new Promise<void>((resolve) => {
      const end = watchLog(path)(resolve);
      if (end !== null) ends.push(end);
      appendFileSync(`${path}-wal`, 'more');
    });
    expect(ends.length).toBe(1);
    for (const end of ends) end();
  });

  it('reports that it cannot watch a missing log', () => {
    expect(watchLog(join(folder, 'none.db'))(() => undefined)).toBe(null);
  });
});
