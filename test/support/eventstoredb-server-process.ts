// The fault server in a separate process, so that it can be killed, frozen and started again on its log.
//
// node eventstoredb-server-process.js <folder> <port> (faults arrive as messages)
import { startEventStoreDbServer } from '#test/servers/eventstoredb/eventstoredb-server.js';

const [folder = '', port = '0'] = process.argv.slice(2);
const server = await startEventStoreDbServer({
  folder,
  port: Number(port),
  kill: () => process.kill(process.pid, 'SIGKILL'),
});
process.on('message', (faults: object) => {
  Object.assign(server.faults, faults);
  process.send?.({ kind: 'set' });
});
process.on('disconnect', () => process.exit());
process.send?.({ kind: 'ready', port: server.port });
