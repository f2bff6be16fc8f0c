import { SingleBar } from 'cli-progress';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import { beforeSignalEnds, type Endable } from './ending-signals.js';

const WIDTH = 30;
/** The interval of lines for a reader of a log or pipe. */
const LINE_EVERY_MS = 10_000;

/** What a bar needs of its process. */
export type Shower = Endable & {
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
};

type ProgressBar = { readonly update: OnProgress; readonly stop: () => void };

/** A progress bar on standard error; one line every 10 s if that is not a terminal. */
export function progressBar(
  shower: Shower = process,
  nowMs: () => number = () => performance.now(),
): ProgressBar {
  const { stderr } = shower;
  if (stderr.isTTY !== true) return progressLines(stderr, nowMs);
  let bar: SingleBar | null = null;
  let format = '';
  let ignoreSignals = (): void => undefined;
  const start = (total: number): SingleBar => {
    const started = new SingleBar({
      format,
      stream: stderr,
      barsize: WIDTH,
      hideCursor: true,
      clearOnComplete: true,
    });
    started.start(total, 0, { rate: 0, note: '' });
    // The cursor and line wrapping must be restored first.
    ignoreSignals = beforeSignalEnds(() => {
      stop();
      stderr.write('Interrupted; the same command can be started again.\n');
    }, shower);
    return started;
  };
  const stop = (): void => {
    bar?.stop();
    bar = null;
    ignoreSignals();
  };
  return {
    update({ done, total, perSecond, note = '' }) {
      const wanted = formatOf(total !== null, perSecond !== undefined);
      if (wanted !== format) stop();
      format = wanted;
      bar ??= start(total ?? 0);
      if (total !== null) bar.setTotal(Math.max(total, done));
      bar.update(done, { rate: Math.round(perSecond ?? 0), note });
    },
    stop,
  };
}

function formatOf(hasTotal: boolean, hasSpeed: boolean): string {
  const speed = hasSpeed ? ' | {rate}/s' : '';
  return hasTotal
    ? `{bar} {percentage}% | {value}/{total}${speed} | ETA {eta_formatted} {note}`
    : `{value} read${speed} {note}`;
}

function progressLines(stderr: NodeJS.WritableStream, nowMs: () => number): ProgressBar {
  let printedAtMs = nowMs();
  return {
    update({ done, total, perSecond, note = '' }) {
      if (nowMs() - printedAtMs < LINE_EVERY_MS) return;
      printedAtMs = nowMs();
      const share =
        total === null || total === 0 ? '' : ` of ${total} (${Math.floor((100 * done) / total)}%)`;
      const speed = perSecond === undefined ? '' : `, ${Math.round(perSecond)}/s`;
      stderr.write(`${done}${share}${speed} ${note}`.trimEnd() + '\n');
    },
    stop: () => undefined,
  };
}
