// Loaded before a service (`node --import`), and so in each of its threads: the thread for due work ends by an error as
// soon as, and as long as, the file DUE_WORK_DIES is there.
import { existsSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

const { DUE_WORK_DIES = '' } = process.env;
const LOOK_EVERY_MS = 5;

function lookForEnd(): void {
  if (existsSync(DUE_WORK_DIES)) throw new Error('a test ends this thread');
}

// The thread that fills read models has the order of writes, too.
if (!isMainThread && workerData?.turns !== undefined && workerData.eventsPath === undefined) {
  lookForEnd();
  setInterval(lookForEnd, LOOK_EVERY_MS).unref();
}
