import { write as writeFile, writeSync } from 'node:fs';

/** Where log lines go: never waited for, and no trouble of its own ends or holds up the process. */
export type LogOutput = {
  /** Takes one line with its line break. */
  readonly write: (line: string) => void;
  /** Writes what waits and waits for it, where the loop will not turn for a while. */
  readonly flush: () => void;
  /** Lines that were given up, since the start. */
  readonly dropped: () => number;
};

const WRITTEN_AT_BYTES = 16_384;
const GATHERED_FOR_MS = 100;
/** What waits for a disk or a reader that is slow. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
/** Between two attempts on a disk without room. */
const PAUSE_MS = 1_000;
/** A write that takes longer may never end: the last lines are not worth an exit that does not come. */
const LONGEST_LAST_WRITE_MS = 1_000;
const LINE_BREAK = 0x0a;

/**
 * Writes lines to an open file descriptor, gathered for at most 100 ms, without waiting for it. What cannot be
 * written (a disk without room, a reader that is gone or too slow) is dropped and counted; later lines are tried again.
 * What is left is written as the process exits.
 */
export function logOutput(fd: number): LogOutput {
  let waiting: string[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let isTorn = false;
  let writingSince: number | null = null;
  let pausedUntil = 0;
  let timer: NodeJS.Timeout | null = null;

  const later = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = null;
      writeWaiting();
    }, ms).unref();
  };
  const takeWaiting = (): Buffer => {
    // The rest of a line that was cut off must not run into the next one.
    const bytes = Buffer.from(`${isTorn ? '\n' : ''}${waiting.join('')}`);
    waiting = [];
    waitingBytes = 0;
    return bytes;
  };
  /** What was written of these bytes is kept, the lines that were not written whole are lost. */
  const giveUp = (bytes: Buffer, written: number): void => {
    for (let at = written; at < bytes.length; at += 1) if (bytes[at] === LINE_BREAK) dropped += 1;
    if (written > 0) isTorn = bytes[written - 1] !== LINE_BREAK;
    else if (isTorn) dropped -= 1;
  };

  const writeRest = (bytes: Buffer, written: number): void => {
    writeFile(fd, bytes, written, bytes.length - written, null, (error, count) => {
      if (error !== null && isBusy(error)) {
        setTimeout(() => writeRest(bytes, written), GATHERED_FOR_MS).unref();
        return;
      }
      if (error === null && written + count < bytes.length) {
        writeRest(bytes, written + count);
        return;
      }
      writingSince = null;
      if (error === null) isTorn = false;
      else {
        giveUp(bytes, written);
        pausedUntil = performance.now() + PAUSE_MS;
      }
      if (waitingBytes > 0) later(error === null ? 0 : PAUSE_MS);
    });
  };

  function writeWaiting(): void {
    if (writingSince !== null || waitingBytes === 0) return;
    const pauseMs = pausedUntil - performance.now();
    if (pauseMs > 0) {
      later(pauseMs);
      return;
    }
    writingSince = performance.now();
    writeRest(takeWaiting(), 0);
  }

  process.once('exit', () => {
    const isStuck = writingSince !== null && performance.now() - writingSince > LONGEST_LAST_WRITE_MS;
    if (waitingBytes === 0 || isStuck) return;
    writeLast(fd, takeWaiting());
  });
  return {
    write(line) {
      if (waitingBytes + line.length > MOST_WAITING_BYTES) {
        dropped += 1;
        return;
      }
      waiting.push(line);
      waitingBytes += line.length;
      if (waitingBytes >= WRITTEN_AT_BYTES) writeWaiting();
      else later(GATHERED_FOR_MS);
    },
    flush() {
      if (writingSince === null && waitingBytes > 0) writeLast(fd, takeWaiting());
    },
    dropped: () => dropped,
  };
}

/** Waits for a reader that is slow, but not for long; what cannot be written is lost. */
function writeLast(fd: number, bytes: Buffer): void {
  const giveUpAt = performance.now() + LONGEST_LAST_WRITE_MS;
  for (let written = 0; written < bytes.length && performance.now() < giveUpAt;) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      if (!(error instanceof Error) || !isBusy(error)) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

let ofProcess: LogOutput | null = null;

/** The one of this process, on standard output. */
export const standardLog = (): LogOutput => (ofProcess ??= logOutput(1));

function isBusy({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY';
}
