import type { WorkProgress } from '#kernel/ports/work-progress.js';

const MINUTE = 60;

/** Progress for a bar and a sentence. */
export function progressWords(progress: WorkProgress | null): {
  readonly done: number;
  readonly total: number | null;
  readonly words: string;
} {
  if (progress === null) return { done: 0, total: null, words: 'It begins.' };
  const { done, total, perSecond, note } = progress;
  const left =
    total === null || perSecond === undefined || perSecond <= 0 ? null : (total - done) / perSecond;
  const words = [
    total === null ? `${done} done` : `${done} of ${total}`,
    ...(perSecond === undefined ? [] : [`${Math.round(perSecond)} a second`]),
    ...(left === null ? [] : [`about ${timeWords(left)} left`]),
    ...(note === undefined ? [] : [note]),
  ];
  return { done, total, words: words.join(', ') };
}

const timeWords = (seconds: number): string =>
  seconds < MINUTE ? `${Math.ceil(Math.max(0, seconds))} s` : `${Math.ceil(seconds / MINUTE)} min`;
