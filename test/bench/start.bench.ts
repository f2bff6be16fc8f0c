import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pause } from '#kernel/commands/retry.js';
import { percentile, timed, type Bench, type Measurement } from './bench.js';
import { temporaryFolder } from './temporary-folder.js';

const STARTS = 5;
const LOOK_EVERY_MS = 2;
const EMPTY_MS = 1_200;
const AGAIN_MS = 1_000;
const CLI_MS = 500;

/** From the start of the process to its first answer, started like by `npm start`. */
async function startOnce(folder: string): Promise<number> {
  const main = fileURLToPath(import.meta.resolve('#apps/api/src/main.js'));
  const address = join(folder, 'address.json');
  rmSync(address, { force: true });
  const environment = { ...process.env, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' };
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', main], {
    env: environment,
    stdio: 'inherit',
  });
  while (!existsSync(address) || readFileSync(address, 'utf8') === '') await pause(LOOK_EVERY_MS);
  const { url } = JSON.parse(readFileSync(address, 'utf8'));
  const response = await fetch(`${url}/health/ready`);
  const ms = performance.now() - startedAt;
  child.kill('SIGTERM');
  await once(child, 'exit');
  if (!response.ok) throw new Error(`the first answer was ${response.status}`);
  return ms;
}

const line = (what: string, times: readonly number[], goalMs: number, proof: string): Measurement => ({
  what,
  measured: percentile(times, 0.5),
  unit: 'ms',
  beside: 'goal',
  besideValue: goalMs,
  goal: { atMost: 1 },
  proof,
});

export const startBench: Bench = {
  name: 'start',
  async run() {
    const first: number[] = [];
    const again: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      const folder = temporaryFolder();
      first.push(await startOnce(folder));
      again.push(await startOnce(folder));
    }
    const proof = `ready in ${STARTS} of ${STARTS} starts`;
    return [
      line('empty directory to the first answer', first, EMPTY_MS, proof),
      line('restart on its stores to the first answer', again, AGAIN_MS, proof),
    ];
  },
};

export const cliStartBench: Bench = {
  name: 'cli-start',
  async run() {
    const folder = temporaryFolder();
    const bin = fileURLToPath(new URL('../../../bin/signal-ledger', import.meta.url));
    const run = async (words: readonly string[]): Promise<number> =>
      timed(async () => {
        const child = spawn(process.execPath, [bin, ...words], {
          env: { ...process.env, DATA_DIR: folder },
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        const [code] = await once(child, 'exit');
        if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`);
      });
    await run(['workspace', 'create', '--name', 'bench']);
    const measurements: Measurement[] = [];
    for (const words of [['--help'], ['workspace', 'list'], ['projections', 'status']]) {
      const times: number[] = [];
      for (let call = 0; call < STARTS; call += 1) times.push(await run(words));
      const what = `signal-ledger ${words.join(' ')}, from start to end`;
      measurements.push(line(what, times, CLI_MS, `ended with 0 in ${STARTS} of ${STARTS} calls`));
    }
    return measurements;
  },
};
