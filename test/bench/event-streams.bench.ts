import { get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { OPS_TOKEN, request, startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { below, medianMs, type Bench } from './bench.js';
import { memoryMib } from './process-usage.js';
import { temporaryFolder } from './temporary-folder.js';

const STREAMS = 1_000;
/** The maximum for one workspace. */
const STREAMS_OF_WORKSPACE = 100;
const MOST_MIB = 100;
const ASKED = 200;

/** The median of several samples: garbage comes and goes. */
async function settledMiB(service: ServiceProcess): Promise<number> {
  const looks: number[] = [];
  while (looks.length < 9) {
    await delay(500);
    looks.push(memoryMib(service.pid, 'VmRSS'));
  }
  return looks.toSorted((one, other) => one - other)[4] ?? Number.NaN;
}

type Streaming = { readonly response: IncomingMessage; readonly events: () => number };

/** An open stream, with the number of its events so far. */
function open(url: string, apiKey: string): Promise<Streaming> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream' };
    get(`${url}/api/v3/events`, { headers, agent: false }, (response) => {
      let events = 0;
      response.setEncoding('utf8').on('data', (text: string) => {
        events += text.split('\nevent: ').length - 1;
      });
      response.on('error', () => undefined);
      resolve({ response, events: () => events });
    }).on('error', reject);
  });
}

/** The cost of open event streams for the process that serves them, and for other requests. */
export const eventStreamsBench: Bench = {
  name: 'event-streams',
  async run() {
    const folder = temporaryFolder();
    const service = await startServiceProcess(folder);
    const streams: Streaming[] = [];
    try {
      const keys: string[] = [];
      while (keys.length < STREAMS / STREAMS_OF_WORKSPACE) {
        const created = await request(`${service.opsUrl}/ops/workspace.create`, OPS_TOKEN, {
          name: 'Streams',
        });
        keys.push(created?.body.api_key);
      }
      const [key = ''] = keys;
      const ask = () => request(`${service.url}/api/v3/credits/balance`, key);
      const endpoint = await request(`${service.url}/api/v3/webhook-endpoints`, key, {
        url: 'https://hooks.example.test',
        types: ['run.ended'],
      });
      const path = `${service.url}/api/v3/webhook-endpoints/${endpoint?.body.data.id}`;
      // Twice as many requests as below, to warm the process up.
      const aloneMs = await medianMs(ASKED, ask, ASKED * 2);
      const beforeMiB = await settledMiB(service);
      for (const apiKey of keys)
        for (let count = 0; count < STREAMS_OF_WORKSPACE; count += 1)
          streams.push(await open(service.url, apiKey));
      for (const enabled of [false, true]) await request(path, key, { enabled }, 'PATCH');
      const received = (): number => streams.reduce((sum, { events }) => sum + events(), 0);
      while (received() < STREAMS_OF_WORKSPACE) await delay(50);
      const besideMs = await medianMs(ASKED, ask);
      const heldMiB = (await settledMiB(service)) - beforeMiB;
      const proof = `${streams.length} streams; ${received()} of them received an event of one workspace, each once`;
      return [
        below(`${STREAMS} open streams of events on one process`, 'MiB', heldMiB, MOST_MIB, proof),
        {
          what: 'a balance over HTTP meanwhile, median',
          measured: besideMs,
          unit: 'ms',
          beside: 'before the streams were opened',
          besideValue: aloneMs,
          goal: null,
          proof,
        },
      ];
    } finally {
      for (const { response } of streams) response.destroy();
      await service.kill();
    }
  },
};
