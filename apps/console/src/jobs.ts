import type { OnProgress, WorkProgress } from '#kernel/ports/work-progress.js';
import { refusal } from '#kernel/values/refusal.js';

/** Long work that a page started. It continues in this process even if the browser is closed. */
export type Job = {
  readonly id: number;
  readonly command: string;
  /** The input of the command: a repetition with the same input finds the running job. */
  readonly input: object;
  readonly title: string;
  /** The page that the work belongs to. */
  readonly back: string;
  readonly operator: string;
  readonly startedAt: string;
  readonly progress: WorkProgress | null;
  /** null while it runs. */
  readonly outcome: { readonly answer: unknown } | { readonly error: unknown } | null;
};

export type NewJob = Pick<Job, 'command' | 'input' | 'title' | 'back' | 'operator' | 'startedAt'>;

/** The maximum of concurrent jobs, because each occupies a processor besides the requests of this process. */
const MOST_RUNNING = 4;
const MOST_KEPT = 100;

const tooManyJobs = refusal({
  code: 'too-many-jobs',
  kind: 'conflicting',
  detail: `This process has ${MOST_RUNNING} running verifications and rebuilds. Start again when one of them has ended.`,
});

export type Jobs = ReturnType<typeof createJobs>;

/**
 * The long work of this process, in memory: it ends with the process. If there are too many, the oldest ended job is
 * removed.
 */
export function createJobs() {
  const jobs = new Map<number, Job>();
  const waiting = new Set<() => void>();
  let last = 0;
  let isOver = false;
  const wake = (): void => {
    for (const look of [...waiting]) look();
  };
  const set = (job: Job): void => {
    jobs.set(job.id, job);
    wake();
  };
  const running = (): readonly Job[] => [...jobs.values()].filter(({ outcome }) => outcome === null);

  return {
    /** The running jobs. */
    running,
    /**
     * Starts work, or returns the running job for the same work. Throws `tooManyJobs` if the maximum number is running.
     */
    start(wanted: NewJob, work: (onProgress: OnProgress) => Promise<unknown>): Job {
      const same = running().find(
        ({ command, input }) =>
          command === wanted.command && JSON.stringify(input) === JSON.stringify(wanted.input),
      );
      if (same !== undefined) return same;
      if (running().length >= MOST_RUNNING) throw tooManyJobs();
      const id = (last += 1);
      const job: Job = { ...wanted, id, progress: null, outcome: null };
      set(job);
      const change = (part: Partial<Pick<Job, 'progress' | 'outcome'>>): void => {
        const known = jobs.get(id);
        if (known?.outcome === null) set({ ...known, ...part });
      };
      work((progress) => change({ progress })).then(
        (answer) => change({ outcome: { answer } }),
        (error: unknown) => change({ outcome: { error } }),
      );
      const [oldest] = [...jobs.values()].filter(({ outcome }) => outcome !== null);
      if (jobs.size > MOST_KEPT && oldest !== undefined) jobs.delete(oldest.id);
      return job;
    },
    find: (id: number): Job | null => jobs.get(id) ?? null,
    /** Resolves when the job has changed since this state, or after this time. */
    moved: (job: Job, ms: number): Promise<void> =>
      new Promise((resolve) => {
        const hasMoved = (): boolean => isOver || jobs.get(job.id) !== job;
        const done = (): void => {
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        const look = (): void => {
          if (hasMoved()) done();
        };
        const timer = setTimeout(done, ms);
        waiting.add(look);
        look();
      }),
    /** Releases all waiters when the process stops. */
    end(): void {
      isOver = true;
      wake();
    },
    hasEnded: (): boolean => isOver,
  };
}
