import { connect, createServer, type Socket } from 'node:net';
import { closed, portOf } from './listening.js';

/** A wire between a client and a server that a test can observe, stop and cut. */
export type TcpProxy = {
  readonly port: number;
  /** All bytes from the client, as text of single bytes. */
  readonly sent: () => string;
  /** From the first piece with this text on, no bytes of the client arrive. Resolves when such a piece came. */
  readonly holdAt: (text: string) => Promise<void>;
  /** Forwards the held bytes, and holds no more. */
  readonly release: () => void;
  /** Cuts every connection, and new ones at once, until `mend`. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
};

export async function openTcpProxy(server: URL): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const sent: Buffer[] = [];
  let held: { readonly onward: Socket; readonly piece: Buffer }[] | null = null;
  let trap: { readonly text: string; readonly met: () => void } | null = null;
  let isCut = false;

  const pass = (onward: Socket, piece: Buffer): void => {
    sent.push(piece);
    if (trap !== null && piece.includes(trap.text)) {
      held = [];
      trap.met();
      trap = null;
    }
    if (held === null) onward.write(piece);
    else held.push({ onward, piece });
  };
  const listener = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const onward = connect(Number(server.port), server.hostname);
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.on('data', (piece) => pass(onward, piece)).on('close', () => onward.destroy());
    onward.on('data', (piece) => client.write(piece)).on('close', () => client.destroy());
  });
  const port = await portOf(listener);
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };

  return {
    port,
    sent: () => Buffer.concat(sent).toString('latin1'),
    holdAt: (text) =>
      new Promise((resolve) => {
        trap = { text, met: resolve };
      }),
    release: () => {
      const waiting = held ?? [];
      held = null;
      for (const { onward, piece } of waiting) onward.write(piece);
    },
    cut,
    mend: () => {
      isCut = false;
    },
    close: async () => {
      cut();
      await closed(listener);
    },
  };
}
