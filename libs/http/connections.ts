import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The bounds of unread answers. */
export type ConnectionBounds = {
  /** A connection whose answer stays unread for this long is closed, in ms. */
  readonly unreadMs: number;
  /** The maximum of unread bytes of all connections together. */
  readonly bytesInAll: number;
};

/** A closed connection, with the data that was lost. */
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
  /** The request listener of a server: `carryOut` gets one request of a connection at a time. */
  readonly inTurn: (carryOut: RequestListener) => RequestListener;
  readonly watch: (server: Server) => void;
  /** Whether a request of this connection is in progress. */
  readonly isBusy: (socket: Socket) => boolean;
};

/** A request that waits for the previous answer, and Node's response object for it. */
type Held = { readonly request: IncomingMessage; readonly response: ServerResponse };

type Connection = {
  readonly socket: Socket;
  held: Held[];
  isBusy: boolean;
  /** The unread bytes of its answers at the last check. */
  unsentBytes: number;
  sentBytes: number;
  /** When the client last read something, or when there was something to read first. */
  progressedAtMs: number;
};

/** The memory of a parsed request in Node: 1.6 KB for the smallest (Node.js 20). */
const HELD_REQUEST_BYTES = 2_048;
/** The number of checks of a connection within the time that an answer may stay unread. */
const LOOKS = 6;

/**
 * Handles the requests of a connection one after the other (RFC 9112, section 9.3.2): a request begins when the
 * previous answer has left the process. Node itself would begin all received requests, so a client that sends
 * thousands and reads nothing would fill the memory with answers. While a request waits, nothing more is read from
 * its connection.
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

  /**
   * Closes the connections that have read nothing for the longest time, and of those the one with the most unread
   * bytes, until the rest is within the bounds.
   */
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
      // Node continues to read after each parsed request.
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

    /** The part of a complete answer that the client has not taken waits here. */
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
 * The bytes that the system has accepted for the client. Node counts waiting bytes as written; only the handle of the
 * socket knows how much of a large write waits.
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
