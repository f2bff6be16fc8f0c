import { connect, type Socket } from 'node:net';

/** The orders for the clients of a phase; sent to this program by its parent. */
export type UnreadOrders = {
  readonly port: number;
  readonly opsPort: number;
  readonly opsToken: string;
  /** Connections that send 3,000 requests at once and read nothing. */
  readonly attackers: number;
  /** Connections that read a piece at a time, far more slowly than they are answered. */
  readonly slowReaders: number;
};

const PIPELINED = 3_000;
/** Longer than the time limit of an unread answer: the service has to cut the connection. */
const HOLDS_ON_MS = 45_000;
const SLOW_REQUESTS = 40;
const READS_EVERY_MS = 1_000;

process.on('message', (orders: UnreadOrders) => {
  for (let each = 0; each < orders.attackers; each += 1) attack(orders.port, 'GET /openapi.json', '');
  if (orders.attackers > 0) attack(orders.opsPort, 'GET /metrics', orders.opsToken);
  for (let each = 0; each < orders.slowReaders; each += 1) {
    setTimeout(() => readSlowly(orders.port), (READS_EVERY_MS * each) / orders.slowReaders);
  }
  process.send?.('begun');
});

function requests(route: string, token: string, count: number): string {
  const authorization = token === '' ? '' : `Authorization: Bearer ${token}\r\n`;
  return `${route} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`.repeat(count);
}

function open(port: number): Socket {
  // the service is expected to cut it
  return connect(port, '127.0.0.1').on('error', () => undefined);
}

function attack(port: number, route: string, token: string): void {
  const socket = open(port).pause();
  socket.write(requests(route, token, PIPELINED));
  setTimeout(() => {
    socket.destroy();
    attack(port, route, token);
  }, HOLDS_ON_MS);
}

function readSlowly(port: number): void {
  const socket = open(port);
  socket.write(requests('GET /openapi.json', '', SLOW_REQUESTS));
  socket.on('data', () => socket.pause());
  const reading = setInterval(() => socket.resume(), READS_EVERY_MS);
  socket.on('close', () => {
    clearInterval(reading);
    readSlowly(port);
  });
}
