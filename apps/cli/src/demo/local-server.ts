import { once } from 'node:events';
import type { Server } from 'node:http';

/** A server of the demo on a free port of the loopback address. */
export type LocalServer = { readonly origin: string; readonly close: () => Promise<void> };

export async function listenLocally(server: Server): Promise<LocalServer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
