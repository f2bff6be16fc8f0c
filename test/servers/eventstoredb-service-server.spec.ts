import { eventStoreDbServiceCases } from './eventstoredb-service.js';

// Only if a server is named (npm run test:servers).
const url = process.env['TEST_EVENT_STORE_URL'] || null;
if (url !== null) describe('the service on EventStoreDB', () => eventStoreDbServiceCases(() => url));
