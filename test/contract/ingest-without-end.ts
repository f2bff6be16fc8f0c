/** Runs as a process of its own: ingests posts into the file in its argument until it is killed. */
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';

async function* endless(): AsyncGenerator<Uint8Array> {
  for (let index = 0; ; index++) {
    const post = {
      kind: 'post',
      ref: `post:${index}`,
      text: `endless ${index}`,
      published_at: '2026-01-01T00:00:00Z',
    };
    yield Buffer.from(`${JSON.stringify(post)}\n`);
  }
}

const store = await openSqliteNetwork({ path: process.argv[2] ?? '', networkBaseUrl: 'https://n.example' });
await store.ingest(endless(), { onProgress: ({ accepted }) => process.stdout.write(`${accepted}\n`) });
