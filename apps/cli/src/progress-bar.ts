import { SingleBar } from 'cli-progress';
import type { OnProgress } from '#ops/operator-command.js';

const WIDTH = 30;

/** A progress bar on standard error; nothing where that is not a terminal. */
export function progressBar(): { readonly update: OnProgress; readonly stop: () => void } {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  let bar: SingleBar | null = null;
  const start = (format: string, total: number): SingleBar => {
    const started = new SingleBar({
      format,
      stream: process.stderr,
      barsize: WIDTH,
      hideCursor: true,
      clearOnComplete: true,
    });
    started.start(total, 0, { rate: 0, note: '' });
    return started;
  };
  return {
    update({ done, total, perSecond = 0, note = '' }) {
      bar ??= start(
        total === null
          ? '{value} read | {rate}/s {note}'
          : '{bar} {percentage}% | {value}/{total} | {rate}/s | ETA {eta_formatted} {note}',
        total ?? 0,
      );
      if (total !== null) bar.setTotal(Math.max(total, done));
      bar.update(done, { rate: Math.round(perSecond), note });
    },
    stop() {
      bar?.stop();
      bar = null;
    },
  };
}
