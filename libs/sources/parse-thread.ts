import { Worker } from 'node:worker_threads';
import { MalformedAnswer } from './answer-fields.js';
import type { AnswerBody } from './answer-text.js';
import { parseHere } from './parse-here.js';
import { pieces, type Piece } from './pieces.js';
import type { Line, Parse, ParsedAnswer, Parsed, ParseOf } from './source-kind.js';

/** An answer to parse; then requests for more of its lines, or to drop the rest. */
export type ParseOrder =
  { readonly kind: string; readonly body: AnswerBody; readonly of: ParseOf } | 'more' | 'drop';
/** The result; `malformed`: it differs from the documented form. */
export type ParseReport =
  | { readonly parsed: Omit<Parsed, 'lines'> }
  | { readonly piece: Piece<Line>; readonly isLast: boolean }
  | { readonly malformed: string }
  | { readonly failed: string };

export type ParseThread = {
  readonly parse: Parse;
  /** Ends the thread; running work is rejected. */
  readonly close: () => Promise<void>;
};

export type ParseThreadOptions = {
  /**
   * Shorter answers are parsed on the caller's event loop, because a message to a thread costs more. Measured alternately:
   * 6 KB take 0.36 ms of the processor, on the thread 0.72 ms; 57 KB take 1.8 ms and 2.1 ms.
   */
  readonly hereBytes?: number;
  /** An answer that takes longer is abandoned together with the thread. */
  readonly longestMs?: number;
};

const HERE_BYTES = 64 * 1024;
const LONGEST_MS = 15_000;
const OLD_GENERATION_MB = 384;
/** Texts are made and handed over in pieces, so new objects are short-lived and need little memory. */
const YOUNG_GENERATION_MB = 8;
/** An idle thread is ended after this time, because it holds tens of megabytes. */
const IDLE_MS = 30_000;

/**
 * Parses large answers on a thread, one after the other: an answer that takes seconds, or all its memory, delays no
 * request and fails only its own reading. Its lines are transferred in pieces on request; the next answer waits until
 * they are read or dropped. Measured: the 838 postings of a board of 14 MB are stored after 1.24 s, with 100 MiB
 * above idle (`npm run bench -- sources`).
 */
export function parseThread({
  hereBytes = HERE_BYTES,
  longestMs = LONGEST_MS,
}: ParseThreadOptions = {}): ParseThread {
  let worker: Worker | null = null;
  let turn: Promise<void> = Promise.resolve();
  let idle: NodeJS.Timeout | null = null;
  let isClosed = false;

  /** Resolves the answer that is being parsed. */
  let current: ((report: ParseReport) => void) | null = null;

  function start(): Worker {
    const started = new Worker(new URL('./parse-thread.worker.js', import.meta.url), {
      resourceLimits: {
        maxOldGenerationSizeMb: OLD_GENERATION_MB,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    });
    const lost = (report: ParseReport): void => {
      if (worker !== started) return;
      worker = null;
      current?.(report);
    };
    started.on('message', (report: ParseReport) => {
      if (worker === started) current?.(report);
    });
    started.on('error', (error) => {
      const isTooLarge = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      lost(isTooLarge ? { malformed: 'takes too much memory to parse' } : { failed: error.message });
    });
    started.on('exit', () => lost({ failed: 'the thread that parses ended' }));
    started.unref();
    return started;
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  }

  async function ask(order: ParseOrder): Promise<ParseReport> {
    if (isClosed) throw new Error('the thread that parses is closed');
    const thread = (worker ??= start());
    let late: NodeJS.Timeout | null = null;
    try {
      return await new Promise((resolve) => {
        current = resolve;
        late = setTimeout(() => {
          void end();
          resolve({ malformed: `takes longer than ${longestMs} ms to parse` });
        }, longestMs);
        // The thread decodes the text from the bytes, which are transferred without a copy.
        thread.postMessage(order, typeof order === 'string' ? [] : [order.body.bytes.buffer]);
      });
    } finally {
      current = null;
      if (late !== null) clearTimeout(late);
    }
  }

  /** Resolves when the thread is free for the caller, with the function that releases it. */
  async function taken(): Promise<() => void> {
    const before = turn;
    let release = (): void => undefined;
    turn = new Promise<void>((resolve) => (release = resolve));
    await before;
    if (idle !== null) clearTimeout(idle);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      idle = setTimeout(() => void end(), IDLE_MS).unref();
      release();
    };
  }

  async function inTurn(order: ParseOrder): Promise<ParsedAnswer> {
    const release = await taken();
    let parsing: Worker | null = null;
    let hasMore = false;
    /** The pending request: the thread makes lines while earlier ones are written. */
    let coming: Promise<ParseReport> | null = null;
    const ahead = (): Promise<ParseReport> => {
      if (worker !== parsing) return Promise.resolve({ failed: 'the thread that parses ended' });
      const asked = ask('more');
      // The error is reported to the next request.
      asked.catch(() => undefined);
      return asked;
    };
    const close = async (): Promise<void> => {
      // The thread answers in order, so the pending request is awaited.
      await coming?.catch(() => undefined);
      coming = null;
      if (hasMore && worker === parsing) worker?.postMessage('drop');
      hasMore = false;
      release();
    };
    try {
      const report = await ask(order);
      if (!('parsed' in report)) throw faultOf(report);
      parsing = worker;
      hasMore = true;
      return { ...report.parsed, lines: pieces(linesLeft(), close) };
    } catch (error) {
      release();
      throw error;
    }

    async function* linesLeft(): AsyncGenerator<Piece<Line>> {
      try {
        while (hasMore) {
          const report: ParseReport = await (coming ?? ahead());
          if (!('piece' in report)) throw faultOf(report);
          hasMore = !report.isLast;
          coming = hasMore ? ahead() : null;
          yield report.piece;
        }
      } finally {
        await close();
      }
    }
  }

  return {
    parse(kind, body, of) {
      return body.bytes.byteLength <= hereBytes ? parseHere(kind, body, of) : inTurn({ kind, body, of });
    },
    async close() {
      isClosed = true;
      if (idle !== null) clearTimeout(idle);
      await end();
      current?.({ failed: 'the thread that parses is closed' });
    },
  };
}

function faultOf(report: ParseReport): Error {
  if ('malformed' in report) return new MalformedAnswer(report.malformed);
  return new Error('failed' in report ? report.failed : 'the thread that parses answered something else');
}
