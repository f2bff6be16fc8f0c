import { write as writeFile, writeSync } from 'node:fs';

/** The output of log lines: writing never blocks, and a failure never ends or delays the process. */
export type LogOutput = {
  /** Takes one line including its line break. */
  readonly write: (line: string) => void;
  /** Writes waiting lines synchronously, for callers that will block the event loop. */
  readonly flush: () => void;
  /** The number of dropped lines since the start. */
  readonly dropped: () => number;
};

const WRITTEN_AT_BYTES = 16_384;
const GATHERED_FOR_MS = 100;
/** The maximum of waiting bytes for a slow disk or reader. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
/** The pause between two attempts on a full disk. */
const PAUSE_MS = 1_000;
/** A longer write may never end: the last lines must not prevent the exit. */
const LONGEST_LAST_WRITE_MS = 1_000;
const LINE_BREAK = 0x0a;

/**
 * Writes lines to an open file descriptor asynchronously, collected for at most 100 ms. Lines that cannot be written
 * (full disk, reader gone or too slow) are dropped and counted; later lines are tried again. Remaining lines are
 * written when the process exits. Measured alternately: a line takes 0.29 us if 100 are written together, 1.3 us if each is
 * written by itself.
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
    // The rest of a truncated line must not be joined with the next line.
    const bytes = Buffer.from(`${isTorn ? '\n' : ''}${waiting.join('')}`);
    waiting = [];
    waitingBytes = 0;
    return bytes;
  };
  /** Drops the lines of these bytes that were not written completely. */
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

/** Waits a limited time for a slow reader; the rest is dropped. */
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

/** The output of this process, on standard output. */
export const standardLog = (): LogOutput => (ofProcess ??= logOutput(1));

function isBusy({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY';
}
