import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Listens on a free port of a loopback address, and returns the port. */
export async function portOf(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** Resolves when a server has closed, which has no open connection. */
export async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

/** A port of the loopback address that nothing listens on, for a server that another program starts. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  await closed(server);
  return port;
}
