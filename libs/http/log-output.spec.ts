import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { logOutput } from './log-output.js';

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await delay(5);
};

describe('the output of log lines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-output-'));
  const open: number[] = [];
  afterAll(() => {
    for (const fd of open) closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  const openLog = (file: string, flags: 'a' | 'w') => {
    const fd = openSync(file, flags);
    open.push(fd);
    return logOutput(fd);
  };

  it('writes every line, in order, however many arrive at once', async () => {
    const file = join(folder, 'many');
    const log = openLog(file, 'a');
    const lines = Array.from({ length: 5_000 }, (_, index) => `${JSON.stringify({ index, text: 'é' })}\n`);
    for (const line of lines) log.write(line);
    await until(() => readFileSync(file, 'utf8').length === lines.join('').length);
    expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
    expect(log.dropped()).toBe(0);
  });

  it('writes immediately on flush, before the event loop is blocked', () => {
    const file = join(folder, 'flushed');
    const log = openLog(file, 'a');
    log.write('one\n');
    log.flush();
    expect(readFileSync(file, 'utf8')).toBe('one\n');
    log.flush();
    expect(readFileSync(file, 'utf8')).toBe('one\n');
  });

  // on Linux only
  const ifFull = existsSync('/dev/full') ? it : it.skip;
  ifFull('drops and counts lines that a full disk does not take, and continues', async () => {
    const log = openLog('/dev/full', 'w');
    for (let line = 0; line < 3; line += 1) log.write('{}\n');
    await until(() => log.dropped() === 3);
    // until the next attempt, the waiting lines are limited
    const line = `${'x'.repeat(1024 * 1024 - 1)}\n`;
    for (let count = 0; count < 10; count += 1) log.write(line);
    expect(log.dropped()).toBe(3 + 6);
    await until(() => log.dropped() === 3 + 10);
  });
});
