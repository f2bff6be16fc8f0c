import { Agent, request } from 'node:http';
import { percentile, throughput } from './bench.js';

/** One request to be measured, by name. */
export type MeasuredRequest = {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [header: string]: string };
  readonly body: string | null;
};
export type ClientOrder = {
  readonly requests: readonly MeasuredRequest[];
  readonly clients: number;
  /** All requests are measured in turns, so that a slow moment of the machine affects all routes. */
  readonly rounds: number;
  readonly callsARound: number;
};
/** The figures of one round. */
export type Round = { readonly p50Ms: number; readonly p99Ms: number };
export type Latency = { readonly rounds: readonly Round[]; readonly failures: number };
export type ClientAnswer = { readonly [name: string]: Latency };

process.once('message', (order: ClientOrder) => {
  void measure(order).then((answer) => process.send?.(answer, () => process.exit(0)));
});

async function measure({ requests, clients, rounds, callsARound }: ClientOrder): Promise<ClientAnswer> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const measured = new Map(requests.map(({ name }) => [name, [] as Round[]]));
  const failures = new Map<string, number>();
  for (let round = -1; round < rounds; round += 1) {
    // In alternating order: the first request of one round is the last of the next.
    for (const asked of round % 2 === 0 ? requests : requests.toReversed()) {
      const taken: number[] = [];
      await throughput(clients, callsARound, async () => {
        const startedAt = performance.now();
        const status = await send(agent, asked);
        taken.push(performance.now() - startedAt);
        if (status !== 200) failures.set(asked.name, (failures.get(asked.name) ?? 0) + 1);
      });
      // The first round warms the service up.
      if (round < 0) continue;
      const one = { p50Ms: percentile(taken, 0.5), p99Ms: percentile(taken, 0.99) };
      measured.get(asked.name)?.push(one);
    }
  }
  return Object.fromEntries(
    [...measured].map(([name, taken]) => [name, { rounds: taken, failures: failures.get(name) ?? 0 }]),
  );
}

function send(agent: Agent, { method, url, headers, body }: MeasuredRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    call.on('error', reject);
    call.end(body ?? undefined);
  });
}
