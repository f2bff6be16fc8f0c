import { createServer } from 'node:http';

/** The report of the receivers: when each event came first, in ms since 1970, and the total number of requests. */
export type ReceiverReport = {
  readonly arrivedAtMs: { readonly [eventId: string]: number };
  readonly requests: number;
};

/** The longest answer time of a receiver. */
const MOST_ANSWER_MS = 20;

let arrivedAtMs: Record<string, number> = {};
let requests = 0;
const server = createServer({ keepAlive: false }, (request, response) => {
  const id = String(request.headers['webhook-id']);
  arrivedAtMs[id] ??= performance.timeOrigin + performance.now();
  requests += 1;
  request.resume();
  setTimeout(() => response.writeHead(204).end(), Math.random() * MOST_ANSWER_MS);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : null });
});
process.on('message', () => {
  process.send?.({ arrivedAtMs, requests } satisfies ReceiverReport);
  arrivedAtMs = {};
  requests = 0;
});
