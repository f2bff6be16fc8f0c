// Clients of one workspace's ledger in a separate process: each holds a credit and captures it, repeatedly. The
// message `count` makes it report the number of acknowledged writes, `stop` does so and ends it.
//
// OPS_URL=… TOKEN=… WORKSPACE=1 CLIENTS=50 node ledger-writers.js
import { Agent, request } from 'node:http';

const { OPS_URL = '', TOKEN = '', WORKSPACE = '', CLIENTS = '50' } = process.env;
const agent = new Agent({ keepAlive: true, maxSockets: Number(CLIENTS) });
let acknowledged = 0;
let isOver = false;

function operator(command: string, input: object): Promise<void> {
  const body = JSON.stringify({ workspace_id: Number(WORKSPACE), ...input });
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const call = request(`${OPS_URL}/ops/${command}`, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode !== 200) return reject(new Error(`${command}: ${response.statusCode}`));
        acknowledged += 1;
        resolve();
      });
    });
    call.on('error', reject).end(body);
  });
}

async function client(name: number): Promise<void> {
  for (let turn = 0; !isOver; turn += 1) {
    const key = `busy:${process.pid}:${name}:${turn}`;
    await operator('credits.hold', { key, credits: 1, product: 'busy' });
    await operator('credits.capture', { key });
  }
}

const clients = Promise.all(Array.from({ length: Number(CLIENTS) }, (_, name) => client(name)));
process.on('disconnect', () => process.exit());
const isEnding = async (word: unknown): Promise<boolean> => {
  if (word !== 'stop') return false;
  isOver = true;
  await clients;
  return true;
};
process.on('message', (word) => {
  void isEnding(word).then((ends) => process.send?.(acknowledged, () => ends && process.exit()));
});
await clients;
