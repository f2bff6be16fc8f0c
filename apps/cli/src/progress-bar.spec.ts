import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { progressBar, type Shower } from './progress-bar.js';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

/** A process with or without a terminal. */
function shower(isTTY: boolean) {
  const signals = new EventEmitter();
  const kills: unknown[] = [];
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const given: Shower = {
    stderr,
    pid: 7,
    once: (signal, listener) => signals.once(signal, listener),
    off: (signal, listener) => signals.off(signal, listener),
    kill: (pid, signal) => kills.push([pid, signal]),
  };
  // A read returns all that was written, or only the first piece of it, by the version of Node.js.
  const written = (): string => {
    const pieces: string[] = [];
    for (let piece = stderr.read(); piece !== null; piece = stderr.read()) pieces.push(String(piece));
    return pieces.join('');
  };
  return { given, kills, signals, written };
}

describe('a progress bar', () => {
  it('restores the cursor when Ctrl-C ends the command, and lets the signal end it', () => {
    const { given, kills, signals, written } = shower(true);
    const bar = progressBar(given);
    bar.update({ done: 1, total: 2 });
    expect(written()).toContain(HIDE_CURSOR);
    signals.emit('SIGINT', 'SIGINT');
    const after = written();
    expect(after).toContain(SHOW_CURSOR);
    expect(after).not.toContain(HIDE_CURSOR);
    expect(after).toMatch(/Interrupted[^\n]+\n$/);
    expect(kills).toEqual([[7, 'SIGINT']]);
  });

  it('listens for signals only while it is shown', () => {
    const { given, signals, written } = shower(true);
    const bar = progressBar(given);
    expect(signals.eventNames()).toEqual([]);
    bar.update({ done: 1, total: null });
    expect(signals.eventNames()).toContain('SIGTERM');
    bar.stop();
    expect(written()).toContain(SHOW_CURSOR);
    expect(signals.eventNames()).toEqual([]);
  });

  it('begins again when a later phase knows its total, and shows a speed only if it is known', () => {
    const { given, signals, written } = shower(true);
    const bar = progressBar(given);
    bar.update({ done: 900, total: null, perSecond: 12 });
    bar.update({ done: 1_000, total: 1_000, perSecond: 12, note: 'reading' });
    const [known, unknown] = [written(), '900 read | 12/s'];
    expect([known, known]).toEqual([
      expect.stringContaining(unknown),
      expect.stringContaining('/1000 | 0/s | ETA'),
    ]);
    bar.update({ done: 64, total: 256, note: 'writing' });
    bar.stop();
    // The estimate depends on how fast the case runs.
    expect(written()).toMatch(/25% \| 64\/256 \| ETA (\d+s|NULL|INF) writing/);
    expect(signals.eventNames()).toEqual([]);
  });

  it('is one line every ten seconds if standard error is not a terminal', () => {
    const { given, signals, written } = shower(false);
    let nowMs = 5;
    const bar = progressBar(given, () => nowMs);
    const after = (ms: number, done: number, total: number | null): string => {
      nowMs += ms;
      bar.update({ done, total, perSecond: 12.4, note: 'reading' });
      return written();
    };
    expect([after(0, 1, 200), after(9_999, 50, 200)]).toEqual(['', '']);
    expect(after(1, 60, 200)).toBe('60 of 200 (30%), 12/s reading\n');
    bar.stop();
    // a new phase of the same work writes no line
    expect(after(9_999, 1, null)).toBe('');
    expect(after(1, 7, null)).toBe('7, 12/s reading\n');
    nowMs += 10_000;
    bar.update({ done: 64, total: 256, note: 'writing' });
    expect(written()).toBe('64 of 256 (25%) writing\n');
    expect(signals.eventNames()).toEqual([]);
  });
});
