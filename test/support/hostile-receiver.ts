import { createServer, type Socket } from 'node:net';
import { closed, portOf } from './listening.js';

/** The reaction of a receiver instead of an answer. */
export type Hostility =
  /** Accepts the request and never answers. */
  | 'hangs'
  /** Sends the head of an answer, a byte at a time, and never its end. */
  | 'drips'
  /** Sends a failure and then, a byte at a time, a body without an end. */
  | 'drips a body'
  /** Sends a body of the given length, until the receiver stops reading. */
  | 'floods'
  /** The same as a success. */
  | 'floods a success'
  /** The same packed: little is sent, much comes out. */
  | 'bombs'
  /** Closes in the middle of the head. */
  | 'closes in the head'
  /** Closes in the middle of the body. */
  | 'closes in the body'
  /** Closes before it has read anything. */
  | 'closes at once'
  /** Sends something that is not HTTP. */
  | 'babbles'
  /** Sends a head without an end. */
  | 'sends headers without end'
  /** Agrees to a change of the protocol that nobody asked for. */
  | 'changes the protocol';

export type HostileReceiver = {
  readonly url: string;
  /** Number of requests so far. */
  readonly connections: () => number;
  /** Number of bytes read from it. */
  readonly sentBytes: () => number;
  readonly close: () => Promise<void>;
};

const TWO_GB = 2 * 1024 ** 3;
const DRIP_MS = 5;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** A hostile receiver on a loopback address. */
export async function startHostileReceiver(hostility: Hostility): Promise<HostileReceiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let ended = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      ended += socket.bytesWritten;
      sockets.delete(socket);
    });
    if (hostility === 'closes at once') return void socket.destroy();
    socket.once('data', () => attack(socket, hostility));
  });
  return {
    url: `http://127.0.0.1:${await portOf(server)}/hook`,
    connections: () => connections,
    sentBytes: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, ended),
    async close() {
      for (const socket of sockets) socket.destroy();
      await closed(server);
    },
  };
}

function attack(socket: Socket, hostility: Exclude<Hostility, 'closes at once'>): void {
  const failure = 'HTTP/1.1 500 No\r\ncontent-type: text/plain\r\n';
  switch (hostility) {
    case 'hangs':
      return;
    case 'drips':
      return drip(socket, 'HTTP/1.1 200 OK\r\nx: '.split(''));
    case 'drips a body':
      socket.write(`${failure}content-length: ${TWO_GB}\r\n\r\n`);
      return drip(socket, []);
    case 'floods':
      socket.write(`${failure}transfer-encoding: chunked\r\n\r\n`);
      return flood(socket, Buffer.concat([Buffer.from('10000\r\n'), CHUNK, Buffer.from('\r\n')]));
    case 'floods a success':
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${TWO_GB}\r\n\r\n`);
      return flood(socket, CHUNK);
    case 'bombs':
      socket.write(`${failure}content-encoding: gzip\r\n\r\n`);
      // A gzip head, then stored blocks without an end.
      socket.write(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]));
      return flood(socket, Buffer.concat([Buffer.from([0, 0xff, 0xff, 0, 0]), Buffer.alloc(65_535, 'x')]));
    case 'closes in the head':
      return void socket.end('HTTP/1.1 200 OK\r\ncontent-le');
    case 'closes in the body':
      return void socket.end(`${failure}content-length: 100\r\n\r\nhalf of it`);
    case 'babbles':
      return void socket.write('this is no HTTP\r\n\r\n');
    case 'sends headers without end':
      socket.write('HTTP/1.1 200 OK\r\n');
      return flood(socket, Buffer.from(`x-${'y'.repeat(1_000)}: z\r\n`));
    case 'changes the protocol':
      return void socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      );
  }
}

function drip(socket: Socket, first: readonly string[]): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(first[sent++] ?? 'x'), DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}

/** As much as the client reads, up to 2 GB. */
function flood(socket: Socket, piece: Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.bytesWritten < TWO_GB) {
      if (!socket.write(piece)) return void socket.once('drain', more);
    }
  };
  more();
}
