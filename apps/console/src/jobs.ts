import type { OnProgress, WorkProgress } from '#kernel/ports/work-progress.js';
import { refusal } from '#kernel/values/refusal.js';

/** Long work that somebody began on a page. It goes on in this process, whatever becomes of the browser. */
export type Job = {
  readonly id: number;
  readonly command: string;
  /** What the command was given: the same again finds this job while it runs. */
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

export type Jobs = {
  /**
   * Begins work, or gives the job that does the same already. Throws `tooManyJobs` where as many run as may.
   */
  readonly start: (job: NewJob, work: (onProgress: OnProgress) => Promise<unknown>) => Job;
  readonly find: (id: number) => Job | null;
  /** Those that run. */
  readonly running: () => readonly Job[];
  /** Resolves when the job has moved since it was this, or after so long. */
  readonly moved: (job: Job, ms: number) => Promise<void>;
  /** Lets go of everybody who waits: the process stops. */
  readonly end: () => void;
  readonly hasEnded: () => boolean;
};

/** Work that keeps a processor busy, beside the requests of this process. */
const MOST_RUNNING = 4;
const MOST_KEPT = 100;

const tooManyJobs = refusal({
  code: 'too-many-jobs',
  kind: 'conflicting',
  detail: `This process has ${MOST_RUNNING} verifications and rebuilds under way. Begin when one of them has ended.`,
});

/** The long work of this process, in memory: it ends with the process. Of many the oldest that has ended is forgotten. */
export function createJobs(): Jobs {
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
    running,
    start(wanted, work) {
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
    find: (id) => jobs.get(id) ?? null,
    moved: (job, ms) =>
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
    end() {
      isOver = true;
      wake();
    },
    hasEnded: () => isOver,
  };
}
