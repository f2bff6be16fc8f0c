/** The progress of a long task. */
export type WorkProgress = {
  readonly done: number;
  /** null if the total is unknown. */
  readonly total: number | null;
  readonly perSecond?: number;
  readonly note?: string;
};

/** Called with the progress of a long task, for a progress bar. */
export type OnProgress = (progress: WorkProgress) => void;
