import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What may wait for clients that do not read. */
export type ConnectionBounds = {
  /** A connection whose answer is not read for so long is cut, in ms. */
  readonly unreadMs: number;
  /** What all connections together may keep waiting, in bytes. */
  readonly bytesInAll: number;
};

/** A connection that was cut, with what was lost of it. */
export type CutConnection = {
  /** Its answer was not read in time, or too much waited for all clients together. */
  readonly reason: 'unread' | 'too_much_unread';
  readonly address: string;
  /** Bytes of an answer that the client did not read. */
  readonly unsentBytes: number;
  /** Requests that were not carried out. */
  readonly heldRequests: number;
};

export type Connections = {
  /** The listener of requests for a server: `carryOut` gets one request of a connection at a time. */
  readonly inTurn: (carryOut: RequestListener) => RequestListener;
  readonly watch: (server: Server) => void;
  /** Whether a request of this connection is under way. */
  readonly isBusy: (socket: Socket) => boolean;
};

/** A request that waits for the answer before it, and what Node has made for its answer. */
type Held = { readonly request: IncomingMessage; readonly response: ServerResponse };

type Connection = {
  readonly socket: Socket;
  held: Held[];
  isBusy: boolean;
  /** Of its answers, when it was last looked at. */
  unsentBytes: number;
  sentBytes: number;
  /** When the client last read something, or began to have something to read. */
  progressedAtMs: number;
};

/** What Node keeps of a request that is parsed: 1.6 KB for the smallest (Node.js 20). */
const HELD_REQUEST_BYTES = 2_048;
/** Connections are looked at so often in the time that an answer may stay unread. */
const LOOKS = 6;

/**
 * Carries out the requests of a connection one after the other (RFC 9112, section 9.3.2): a request begins when the
 * answer before it has left the process. Node begins all that have arrived, so that a client who sends thousands and
 * reads nothing fills the memory with answers. While a request waits, nothing more is read from its connection.
 */
export function createConnections(
  { unreadMs, bytesInAll }: ConnectionBounds,
  onCut: (cut: CutConnection) => void,
): Connections {
  const all = new Map<Socket, Connection>();
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | null = null;

  function lookLater(): void {
    timer ??= setTimeout(look, unreadMs / LOOKS).unref();
  }

  function look(): void {
    timer = null;
    const now = performance.now();
    for (const connection of all.values()) {
      measure(connection, now);
      const { isBusy, progressedAtMs, unsentBytes } = connection;
      if (unsentBytes > 0 && now - progressedAtMs >= unreadMs) cut(connection, 'unread');
      else if (isBusy || unsentBytes > 0) lookLater();
    }
  }

  function measure(connection: Connection, now: number): void {
    const unsentBytes = connection.socket.writableLength;
    const sentBytes = sentBytesOf(connection.socket);
    const hasRead = unsentBytes === 0 || connection.unsentBytes === 0 || sentBytes > connection.sentBytes;
    if (hasRead) connection.progressedAtMs = now;
    waitingBytes += unsentBytes - connection.unsentBytes;
    connection.unsentBytes = unsentBytes;
    connection.sentBytes = sentBytes;
  }

  /** Cuts who has read nothing for longest, and of those the one that most waits for, until the rest is within bounds. */
  function relieve(): void {
    if (waitingBytes <= bytesInAll) return;
    const now = performance.now();
    for (const connection of all.values()) measure(connection, now);
    const longestFirst = [...all.values()]
      .filter((connection) => weightOf(connection) > 0)
      .sort((one, other) => one.progressedAtMs - other.progressedAtMs || weightOf(other) - weightOf(one));
    for (const connection of longestFirst) {
      if (waitingBytes <= bytesInAll) return;
      cut(connection, 'too_much_unread');
    }
  }

  function cut(connection: Connection, reason: CutConnection['reason']): void {
    const { held, socket, unsentBytes } = connection;
    onCut({ reason, address: socket.remoteAddress ?? '', unsentBytes, heldRequests: held.length });
    forget(socket);
    socket.resetAndDestroy();
  }

  function forget(socket: Socket): void {
    const connection = all.get(socket);
    if (connection === undefined) return;
    all.delete(socket);
    dropHeld(connection);
    waitingBytes -= connection.unsentBytes;
  }

  function dropHeld(connection: Connection): void {
    waitingBytes -= connection.held.length * HELD_REQUEST_BYTES;
    connection.held = [];
  }

  function watch(server: Server): void {
    server.on('connection', (socket) => {
      const connection: Connection = {
        socket,
        held: [],
        isBusy: false,
        unsentBytes: 0,
        sentBytes: 0,
        progressedAtMs: 0,
      };
      all.set(socket, connection);
      socket.on('close', () => forget(socket));
      // Node reads on by itself after each request that it has parsed.
      socket.on('resume', () => {
        if (connection.held.length > 0) socket.pause();
      });
    });
  }

  function inTurn(carryOut: RequestListener): RequestListener {
    function begin(connection: Connection, { request, response }: Held): void {
      connection.isBusy = true;
      response.on('prefinish', written);
      response.on('close', ended);
      lookLater();
      carryOut(request, response);
    }

    /** Of an answer that is whole, what the client has not taken waits here. */
    function written(this: ServerResponse): void {
      const connection = all.get(this.req.socket);
      if (connection === undefined || connection.socket.writableLength === connection.unsentBytes) return;
      measure(connection, performance.now());
      relieve();
    }

    function ended(this: ServerResponse): void {
      const connection = all.get(this.req.socket);
      if (connection === undefined) return;
      connection.isBusy = false;
      const { socket } = connection;
      // the answer was the last one
      if (!socket.writable) dropHeld(connection);
      const { held } = connection;
      const next = held.shift();
      if (next === undefined) return;
      waitingBytes -= HELD_REQUEST_BYTES;
      begin(connection, next);
      if (held.length === 0) socket.resume();
    }

    return (request, response) => {
      const connection = all.get(request.socket);
      if (connection === undefined) return;
      if (!connection.isBusy) {
        begin(connection, { request, response });
        return;
      }
      connection.held.push({ request, response });
      waitingBytes += HELD_REQUEST_BYTES;
      request.socket.pause();
      relieve();
    };
  }

  return { inTurn, watch, isBusy: (socket) => all.get(socket)?.isBusy ?? false };
}

function weightOf({ held, unsentBytes }: Connection): number {
  return held.length * HELD_REQUEST_BYTES + unsentBytes;
}

/**
 * Bytes that the system has taken for the client. Node counts as written what still waits; how much of one large write
 * waits is known to the handle of the socket alone.
 */
function sentBytesOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle === 'object' && handle !== null) {
    const given: unknown = Reflect.get(handle, 'bytesWritten');
    const waiting: unknown = Reflect.get(handle, 'writeQueueSize');
    if (typeof given === 'number' && typeof waiting === 'number') return given - waiting;
  }
  return socket.bytesWritten - socket.writableLength;
}
