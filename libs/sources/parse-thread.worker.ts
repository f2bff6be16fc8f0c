import { parentPort } from 'node:worker_threads';
import { MalformedAnswer } from './answer-fields.js';
import { parseHere } from './parse-here.js';
import type { ParseOrder, ParseReport } from './parse-thread.js';

async function reportOf({ kind, body, of }: ParseOrder): Promise<ParseReport> {
  try {
    return { parsed: await parseHere(kind, body, of) };
  } catch (error) {
    if (error instanceof MalformedAnswer) return { malformed: error.message };
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', (order: ParseOrder) => {
  void reportOf(order).then((report) => parentPort?.postMessage(report));
});
