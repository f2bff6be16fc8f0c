import { Worker } from 'node:worker_threads';
import { MalformedAnswer } from './answer-fields.js';
import { parseHere } from './parse-here.js';
import type { Parse, Parsed, ParseOf } from './source-kind.js';

/** An answer to parse. */
export type ParseOrder = { readonly kind: string; readonly body: string; readonly of: ParseOf };
/** What came of it; `malformed`: it is not as its kind is documented. */
export type ParseReport =
  { readonly parsed: Parsed } | { readonly malformed: string } | { readonly failed: string };

export type ParseThread = {
  readonly parse: Parse;
  /** Ends the thread; what it has in hand is rejected. */
  readonly close: () => Promise<void>;
};

export type ParseThreadOptions = {
  /** Shorter answers are parsed on the loop of the caller: they take less than a message to a thread. */
  readonly hereCharacters?: number;
  /** An answer that takes longer is given up, and the thread with it. */
  readonly longestMs?: number;
};

const HERE_CHARACTERS = 64 * 1024;
const LONGEST_MS = 15_000;
const OLD_GENERATION_MB = 384;
/** A thread that has nothing to do for so long is ended: it holds tens of megabytes. */
const IDLE_MS = 30_000;

/**
 * Parses large answers on a thread, one after the other: an answer that takes seconds, or all memory that it can get,
 * keeps no request waiting and ends nothing but its own reading.
 */
export function parseThread({
  hereCharacters = HERE_CHARACTERS,
  longestMs = LONGEST_MS,
}: ParseThreadOptions = {}): ParseThread {
  let worker: Worker | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | null = null;
  let isClosed = false;

  /** Who waits for the answer that is parsed now. */
  let current: ((report: ParseReport) => void) | null = null;

  function start(): Worker {
    const started = new Worker(new URL('./parse-thread.worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: OLD_GENERATION_MB },
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
    const thread = (worker ??= start());
    let late: NodeJS.Timeout | null = null;
    try {
      return await new Promise((resolve) => {
        current = resolve;
        late = setTimeout(() => {
          void end();
          resolve({ malformed: `takes longer than ${longestMs} ms to parse` });
        }, longestMs);
        thread.postMessage(order);
      });
    } finally {
      current = null;
      if (late !== null) clearTimeout(late);
    }
  }

  async function inTurn(order: ParseOrder): Promise<Parsed> {
    if (idle !== null) clearTimeout(idle);
    if (isClosed) throw new Error('the thread that parses is closed');
    const report = await ask(order);
    idle = setTimeout(() => void end(), IDLE_MS).unref();
    if ('parsed' in report) return report.parsed;
    if ('malformed' in report) throw new MalformedAnswer(report.malformed);
    throw new Error(report.failed);
  }

  return {
    parse(kind, body, of) {
      if (body.length <= hereCharacters) return parseHere(kind, body, of);
      const parsing = turn.then(() => inTurn({ kind, body, of }));
      turn = parsing.catch(() => undefined);
      return parsing;
    },
    async close() {
      isClosed = true;
      if (idle !== null) clearTimeout(idle);
      await end();
      current?.({ failed: 'the thread that parses is closed' });
    },
  };
}
