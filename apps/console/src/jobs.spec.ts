import type { OnProgress } from '#kernel/ports/work-progress.js';
import { createJobs, type NewJob } from './jobs.js';

const job = (command: string): NewJob => ({
  command,
  input: { name: command },
  title: command,
  back: '/console',
  operator: 'maria',
  startedAt: '2026-06-01T10:00:00.000Z',
});

/** Work that ends when the test ends it. */
function work() {
  let finish: (answer: unknown) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  let report: OnProgress = () => undefined;
  const ended = new Promise((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  return {
    run: (onProgress: OnProgress) => {
      report = onProgress;
      return ended;
    },
    reach: (done: number) => report({ done, total: 10 }),
    finish: (answer: unknown) => finish(answer),
    fail: (error: unknown) => fail(error),
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('long work of pages', () => {
  it('has progress while it runs, and then its answer', async () => {
    const jobs = createJobs();
    const one = work();
    const { id } = jobs.start(job('a'), one.run);
    one.reach(4);
    expect(jobs.find(id)).toMatchObject({ progress: { done: 4, total: 10 }, outcome: null });
    one.finish({ ok: true });
    await settle();
    expect(jobs.find(id)?.outcome).toEqual({ answer: { ok: true } });
    one.reach(9);
    expect(jobs.find(id)?.progress).toEqual({ done: 4, total: 10 });
  });

  it('keeps its error', async () => {
    const jobs = createJobs();
    const one = work();
    const { id } = jobs.start(job('a'), one.run);
    const error = new Error('gone');
    one.fail(error);
    await settle();
    expect(jobs.find(id)?.outcome).toEqual({ error });
  });

  it('is started once while the same work runs, and again after it has ended', async () => {
    const jobs = createJobs();
    const one = work();
    const first = jobs.start(job('a'), one.run);
    expect(jobs.start(job('a'), work().run).id).toBe(first.id);
    one.finish(null);
    await settle();
    expect(jobs.start(job('a'), work().run).id).not.toBe(first.id);
  });

  it('is limited: a fifth job is refused until one has ended', async () => {
    const jobs = createJobs();
    const first = work();
    jobs.start(job('a'), first.run);
    for (const name of ['b', 'c', 'd']) jobs.start(job(name), work().run);
    expect(() => jobs.start(job('e'), work().run)).toThrow('has 4 running verifications and rebuilds');
    first.finish(null);
    await settle();
    expect(jobs.start(job('e'), work().run).command).toBe('e');
  });

  it('notifies waiters of progress, and releases them when the process stops', async () => {
    const jobs = createJobs();
    const one = work();
    const begun = jobs.start(job('a'), one.run);
    const waited = jobs.moved(begun, 60_000);
    one.reach(1);
    await waited;
    const now = jobs.find(begun.id);
    const again = jobs.moved(now ?? begun, 60_000);
    jobs.end();
    await again;
    expect([jobs.hasEnded(), jobs.find(999)]).toEqual([true, null]);
  });
});
