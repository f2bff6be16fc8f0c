import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { observedPost } from '../support/observed-network.js';
import { startServiceProcess } from '../support/service-process.js';
import { whileAskingBalance } from './ask-balance.js';
import { below, percentile, timed, type Bench, type Measurement } from './bench.js';
import { answerOf, runOperator } from './operator-program.js';
import { seededText } from './seeded-text.js';
import { temporaryFolder } from './temporary-folder.js';
import { operator, untilReady } from './two-processes.bench.js';

const POSTS = Number(process.env['INGEST_POSTS'] ?? 200_000);
const WORDS_OF_A_POST = 40;
const IDLE_MS = 5_000;
const BALANCE_P50_MS = 6;

/** A large file is read by `network ingest`, a process of its own on the stores of a service, which answers meanwhile. */
export const ingestBesideBench: Bench = {
  name: 'ingest-beside',
  async run() {
    const folder = temporaryFolder();
    const file = join(folder, 'posts.jsonl');
    await writePosts(file);
    const stores = join(folder, 'stores');
    const service = await startServiceProcess(stores, 'api,worker', { NODE_ENV: 'production' });
    try {
      await untilReady(service);
      const { api_key } = await operator(service, 'workspace.create', { name: 'Bench', credits: 1_000 });
      const idle = await whileAskingBalance(service.url, api_key, () => delay(IDLE_MS));
      let answer = '';
      let ms = 0;
      const beside = await whileAskingBalance(service.url, api_key, async () => {
        ms = await timed(
          async () => (answer = await answerOf(runOperator(stores, 'network', 'ingest', file))),
        );
      });
      return [measurement(idle, beside, ms, answer)];
    } finally {
      await service.stop();
    }
  },
};

function measurement(
  idle: readonly number[],
  beside: readonly number[],
  ms: number,
  answer: string,
): Measurement {
  const p99 = percentile(beside, 0.99).toFixed(1);
  return below(
    `a balance request beside an ingest of ${POSTS.toLocaleString('en')} posts, p50`,
    'ms',
    percentile(beside, 0.5),
    BALANCE_P50_MS,
    `p99 ${p99} ms; idle p50 ${percentile(idle, 0.5).toFixed(1)} ms; ${Math.round(POSTS / (ms / 1_000)).toLocaleString('en')} posts a second; ${answer}`,
  );
}

async function writePosts(file: string): Promise<void> {
  const { words } = seededText(1);
  const output = createWriteStream(file);
  for (let index = 0; index < POSTS; index += 1) {
    const post = observedPost(
      `${index}`,
      `${index % 1_000}`,
      words(WORDS_OF_A_POST),
      '2026-01-05T00:00:00.000Z',
    );
    if (!output.write(`${JSON.stringify(post)}\n`)) await once(output, 'drain');
  }
  output.end();
  await once(output, 'finish');
}
