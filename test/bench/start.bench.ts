import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pause } from '#kernel/commands/retry.js';
import { percentile, timed, type Bench } from './bench.js';
import { temporaryFolder } from './temporary-folder.js';

const STARTS = 5;
const LOOK_EVERY_MS = 2;
/** Nest alone boots in about that. */
const NEST_BOOT_MS = 950;

async function startOnce(): Promise<number> {
  const folder = temporaryFolder();
  const main = fileURLToPath(import.meta.resolve('#apps/api/src/main.js'));
  const address = join(folder.path, 'address.json');
  const environment = { ...process.env, DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'silent' };
  let child: ReturnType<typeof spawn> | null = null;
  const ms = await timed(async () => {
    child = spawn(process.execPath, [main], { env: environment, stdio: 'inherit' });
    while (!existsSync(address) || readFileSync(address, 'utf8') === '') await pause(LOOK_EVERY_MS);
    const { url } = JSON.parse(readFileSync(address, 'utf8'));
    const response = await fetch(`${url}/health/ready`);
    if (!response.ok) throw new Error(`the first answer was ${response.status}`);
  });
  await stop(child);
  folder.remove();
  return ms;
}

function stop(child: ReturnType<typeof spawn> | null): Promise<void> {
  return new Promise((resolve) => {
    if (child === null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

export const startBench: Bench = {
  name: 'start',
  async run() {
    const times: number[] = [];
    for (let start = 0; start < STARTS; start += 1) times.push(await startOnce());
    return [
      {
        what: 'empty directory to the first answer',
        measured: percentile(times, 0.5),
        unit: 'ms',
        beside: 'Nest alone, as published in the goals',
        besideValue: NEST_BOOT_MS,
        goal: { atMost: 2_000 / NEST_BOOT_MS },
        proof: `ready in ${STARTS} of ${STARTS} starts`,
      },
    ];
  },
};
