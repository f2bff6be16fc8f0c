import { EventEmitter, once } from 'node:events';
import { everyBeat } from '#kernel/commands/beat.js';
import type { ReadinessReport } from '#http/service-endpoints.js';
import { readinessChecks, loggedReadiness } from './logged-readiness.js';

describe('the log of readiness', () => {
  it('has one line per change for any number of callers and checks', async () => {
    const logged: ReadinessReport[] = [];
    let report: ReadinessReport = { ready: false, degraded: [], reasons: ['one'] };
    const readiness = loggedReadiness({ report: async () => report }, (change) => logged.push(change));
    const ask = async (next: ReadinessReport): Promise<void> => {
      report = next;
      expect(await readiness.report()).toBe(next);
      await readiness.report();
    };
    await ask(report);
    // other reasons are no change
    await ask({ ...report, reasons: ['two'] });
    await ask({ ready: true, degraded: [], reasons: [] });
    await ask({ ready: true, degraded: ['late'], reasons: [] });
    await ask({ ready: false, degraded: [], reasons: ['three'] });
    expect(logged.map(({ ready, reasons }) => [ready, ...reasons])).toEqual([
      [false, 'one'],
      [true],
      [false, 'three'],
    ]);
  });
});

describe('a service that checks its own readiness', () => {
  const ready: ReadinessReport = { ready: true, degraded: [], reasons: [] };

  it('reports a lost store and its return without a probe, also after a failed check', async () => {
    const logged: boolean[] = [];
    const answers: (() => ReadinessReport)[] = [
      () => ready,
      () => ({ ...ready, ready: false, reasons: ['event store: it does not answer'] }),
      () => {
        throw new Error('no answer');
      },
      () => ready,
    ];
    const asked = new EventEmitter();
    const readiness = loggedReadiness(
      {
        report: async () => {
          const answer = answers.shift();
          if (answers.length === 0) asked.emit('all');
          return answer === undefined ? ready : answer();
        },
      },
      (report) => logged.push(report.ready),
    );
    const all = once(asked, 'all');
    const end = readinessChecks(readiness, 1);
    await all;
    await end();
    expect(logged).toEqual([true, false, true]);
  });

  it('runs one check at a time, and its end waits for the check', async () => {
    let open: ((report: ReadinessReport) => void) | null = null;
    let asked = 0;
    const begun = new EventEmitter();
    const first = once(begun, 'asked');
    const end = readinessChecks(
      {
        report: () => {
          asked += 1;
          begun.emit('asked');
          return new Promise((done) => (open = done));
        },
      },
      1,
    );
    await first;
    const beats = new EventEmitter();
    const third = once(beats, 'third');
    let count = 0;
    const endBeats = everyBeat(1, () => (count += 1) === 3 && beats.emit('third'));
    await third;
    endBeats();
    expect(asked).toBe(1);
    let isOver = false;
    const ended = end().then(() => (isOver = true));
    expect(isOver).toBe(false);
    (open as ((report: ReadinessReport) => void) | null)?.(ready);
    await ended;
    expect(asked).toBe(1);
  });
});
