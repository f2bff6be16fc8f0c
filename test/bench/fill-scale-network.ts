import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { processorMs } from './bench.js';
import { fillScaleNetwork, scaledTo } from './scale-network.js';

const { NETWORK_PATH = '', SCALE_POSTS } = process.env;

const store = await openSqliteNetwork({ path: NETWORK_PATH, networkBaseUrl: 'https://www.network.example' });
const filledMs = await processorMs(() => fillScaleNetwork(store, scaledTo(Number(SCALE_POSTS)), () => {}));
await store.close();
process.send?.(filledMs, () => process.exit(0));
