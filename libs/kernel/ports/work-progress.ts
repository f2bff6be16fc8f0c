/** How far a long piece of work has come. */
export type WorkProgress = {
  readonly done: number;
  /** null when nobody knows how much there is. */
  readonly total: number | null;
  readonly perSecond?: number;
  readonly note?: string;
};

/** Is told of long work as it goes, for a progress bar. */
export type OnProgress = (progress: WorkProgress) => void;
