// Loaded before a service (`node --import`), and so in each of its threads: the thread for due work ends by an error as
// soon as, and as long as, the file DUE_WORK_DIES is there. No thread can change its priority with PRIORITY_IS_REFUSED, as in
// some sandboxes.
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { isMainThread, workerData } from 'node:worker_threads';

const { DUE_WORK_DIES = '', PRIORITY_IS_REFUSED } = process.env;
const LOOK_EVERY_MS = 5;

function lookForEnd(): void {
  if (existsSync(DUE_WORK_DIES)) throw new Error('a test ends this thread');
}

// The thread that fills read models has the order of writes, too.
if (!isMainThread && workerData?.turns !== undefined && workerData.eventsPath === undefined) {
  lookForEnd();
  setInterval(lookForEnd, LOOK_EVERY_MS).unref();
}

if (PRIORITY_IS_REFUSED !== undefined) {
  os.setPriority = () => {
    throw new Error('uv_os_setpriority returned EPERM (operation not permitted)');
  };
  syncBuiltinESMExports();
}
