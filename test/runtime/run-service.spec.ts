import { EventEmitter } from 'node:events';
import { mock } from 'node:test';
import { runService } from '#runtime/run-service.js';

/** The parts of a process that the service uses. */
function surroundings() {
  const signals = new EventEmitter();
  const exits: number[] = [];
  const written: string[] = [];
  return {
    signals,
    exits,
    written,
    stderr: { write: (text: string) => written.push(text) },
    env: { LOG_LEVEL: 'silent' },
    on: (signal: string, listener: () => void) => signals.on(signal, listener),
    exit: (code: number) => void exits.push(code),
  };
}

/** Resolves when all reactions to resolved promises have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('SIGTERM', () => {
  it('during the start ends the service as soon as it has started, with 0', async () => {
    const around = surroundings();
    const did: string[] = [];
    let finishStart = (): void => undefined;
    const started = new Promise<void>((resolve) => (finishStart = resolve));
    const running = runService(async () => {
      did.push('start');
      await started;
      did.push('started');
      return { stop: async () => void did.push('stop') };
    }, around);
    await settled();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM']) around.signals.emit(signal);
    await settled();
    expect([did, around.exits]).toEqual([['start'], []]);
    finishStart();
    await running;
    expect([did, around.exits]).toEqual([['start', 'started', 'stop'], [0]]);
  });

  it('stops a running service once, with 0', async () => {
    const around = surroundings();
    let stops = 0;
    await runService(async () => ({ stop: async () => void (stops += 1) }), around);
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT']) around.signals.emit(signal);
    await settled();
    expect([stops, around.exits]).toEqual([1, [0]]);
  });

  it('during a start that fails lets the failure be reported', async () => {
    const around = surroundings();
    await runService(async () => {
      around.signals.emit('SIGTERM');
      throw new Error('no');
    }, around);
    expect([around.exits, around.written.join('')]).toEqual([[1], expect.stringMatching(/^Error: no\n/)]);
  });

  it('ends a service that does not stop within 10 s with 1, and says why', async () => {
    const around = surroundings();
    await runService(async () => ({ stop: () => new Promise<void>(() => undefined) }), around);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      around.signals.emit('SIGTERM');
      mock.timers.tick(9_999);
      expect([around.exits, around.written]).toEqual([[], []]);
      mock.timers.tick(1);
      expect(around.exits).toEqual([1]);
      expect(around.written.join('')).toMatch(/^the service did not stop within 10 s and ends now; .*\n$/);
    } finally {
      mock.timers.reset();
    }
  });
});
