/**
 * The rooms and what each may import: one row per room, the first row that matches a file counts. An import that
 * the row does not name is forbidden. `*` is one path segment, `**` any number; a room may always import its own
 * folder (the part of the path that `folder` matched).
 *
 * folder    the files of the row
 * may       files of other rooms
 * packages  packages and `node:` modules
 * never     excluded from `may`
 * specs     additional permissions of `*.spec.ts` files in the room
 */
/**
 * The features in their order: one imports only earlier ones. Each has the same name in three places:
 * `libs/<feature>` (events, decisions, work, operator commands), `projections/<feature>` (read models) and
 * `apps/api/src/<feature>` (endpoints). All other folders know no feature.
 */
export const features = [
  'sources',
  'identities',
  'lists',
  'ledger',
  'access',
  'catalogue',
  'signals',
  'accounts',
  'monitoring',
  'delivery',
];

/** Permitted imports against the order; a line that is no longer needed is a fault. */
export const againstTheOrder = [];

const FACTS = [
  'libs/*/domain/**.events.ts',
  'libs/*/domain/**.event.ts',
  'libs/*/domain/**-facts.ts',
  'libs/signals/domain/agents/agent-types.ts',
  'libs/catalogue/domain/prices/agent-prices.ts',
];
const SCHEMA_LIBRARY = ['@sinclair/typebox', 'ajv/**', 'ajv-formats'];
const KERNEL = ['values', 'ports', 'events', 'commands', 'projections'].map(
  (floor) => `libs/kernel/${floor}/*`,
);

/** What features offer one another, an app and an operator; the order says which may import which. */
const FEATURES = [...features.map((feature) => `libs/${feature}/**`), 'projections/*/**'];
const COMMANDS = features.map((feature) => `libs/${feature}/commands/**`);

/** Permissions that are granted together: a room that needs one of a set has the set. */
export const permissionSets = [FACTS, SCHEMA_LIBRARY, KERNEL, FEATURES];

/** What specs beside the code may import in every room. */
export const forSpecs = ['fast-check', 'libs/*/testing/*', 'projections/testing/*'];

export const rooms = [
  { name: 'scenarios of the kernel', folder: 'libs/kernel/testing', may: KERNEL },
  { name: 'sample log', folder: 'libs/event-store/testing', may: KERNEL },
  // The layers of the kernel: each imports only earlier ones.
  {
    name: 'values',
    folder: 'libs/kernel/values',
    packages: [...SCHEMA_LIBRARY, 're2js', 'node:crypto', 'node:module'],
  },
  { name: 'ports', folder: 'libs/kernel/ports', may: ['libs/kernel/values/*'] },
  {
    name: 'events',
    folder: 'libs/kernel/events',
    may: ['libs/kernel/values/*', 'libs/kernel/ports/*'],
    packages: SCHEMA_LIBRARY,
  },
  {
    name: 'commands',
    folder: 'libs/kernel/commands',
    may: ['libs/kernel/values/*', 'libs/kernel/ports/*', 'libs/kernel/events/*'],
    packages: ['node:crypto', 'node:events'],
  },
  {
    name: 'declared projections',
    folder: 'libs/kernel/projections',
    may: ['libs/kernel/values/*', 'libs/kernel/ports/*', 'libs/kernel/events/*'],
  },

  // A launch has two owners: a setup and an agent both store launches on their own stream, so these two share its
  // vocabulary and rules.
  {
    name: 'domain of those that launch',
    folder: ['libs/signals/domain/agents', 'libs/signals/domain/setups'],
    may: [...KERNEL, ...FACTS, 'libs/signals/domain/launches/launches.ts'],
    specs: ['libs/catalogue/domain/templates/catalogue-file.ts'],
  },
  {
    name: 'domain',
    folder: ['libs/*/domain/*', 'libs/*/domain'],
    may: [...KERNEL, ...FACTS],
    // specs run the rules on the shipped catalogue
    specs: ['libs/catalogue/domain/templates/catalogue-file.ts'],
  },

  {
    name: 'projections',
    folder: 'projections',
    may: [...KERNEL, ...FACTS],
  },

  {
    name: 'SQLite plumbing',
    folder: 'libs/sqlite',
    may: [...KERNEL],
    packages: ['@photostructure/sqlite', 'node:**'],
  },
  {
    name: 'MongoDB plumbing',
    folder: 'libs/mongodb',
    may: [...KERNEL],
    packages: ['mongodb'],
  },
  {
    name: 'event store',
    folder: 'libs/event-store/sqlite',
    may: [...KERNEL, 'libs/sqlite/*'],
    packages: ['@photostructure/sqlite', 'node:**'],
  },
  {
    name: 'event store',
    folder: 'libs/event-store/eventstoredb',
    may: [...KERNEL],
    packages: ['@eventstore/db-client', '@eventstore/db-client/**', 'node:**'],
  },
  // Between two event stores of any kind: it uses the port and no adapter.
  {
    name: 'copy of an event store',
    folder: 'libs/event-store/copy',
    may: [...KERNEL],
    packages: ['node:crypto'],
  },
  {
    name: 'read store',
    folder: 'libs/read-store/sqlite',
    may: [...KERNEL, 'libs/sqlite/*'],
    packages: ['@photostructure/sqlite', 'lru-cache', 'node:**'],
  },
  {
    name: 'read store',
    folder: 'libs/read-store/mongodb',
    may: [...KERNEL, 'libs/mongodb/*'],
    packages: ['mongodb'],
  },
  {
    name: 'network adapters',
    folder: 'libs/network/sqlite',
    may: [...KERNEL, 'libs/network/*', 'libs/sqlite/*'],
    packages: ['@photostructure/sqlite'],
  },
  {
    name: 'network adapters',
    folder: 'libs/network/mongodb',
    may: [...KERNEL, 'libs/network/*', 'libs/mongodb/*'],
    packages: ['mongodb', 'node:**'],
  },
  {
    name: 'secrets',
    folder: 'libs/secrets',
    may: [...KERNEL, 'libs/sqlite/*', 'libs/mongodb/*'],
    packages: ['@photostructure/sqlite', 'mongodb', 'node:crypto'],
  },
  // All outgoing requests of this service.
  {
    name: 'outbound',
    folder: 'libs/outbound',
    packages: ['ipaddr.js', 'lru-cache', 'node:**'],
  },
  // The ports and everything derived from observations alone; they never import an adapter.
  {
    name: 'network',
    folder: 'libs/network',
    may: [...KERNEL],
    never: ['libs/network/*/**'],
    packages: [...SCHEMA_LIBRARY, 'node:**'],
  },

  {
    name: 'projection engine',
    folder: 'libs/projection-engine',
    may: [...KERNEL],
    packages: ['node:async_hooks', 'node:crypto', 'node:os', 'node:timers/promises'],
  },
  {
    name: 'http',
    folder: 'libs/http',
    may: [...KERNEL],
    packages: [
      '@nestjs/*',
      'reflect-metadata',
      'fastify',
      'lru-cache',
      'class-validator',
      'class-transformer',
      'class-transformer/**',
      ...SCHEMA_LIBRARY,
      'pino',
      'prom-client',
      'node:**',
    ],
  },

  {
    name: 'clock',
    folder: 'libs/clock',
    may: [...KERNEL],
    packages: ['node:crypto'],
  },
  {
    name: 'keyed requests',
    folder: 'libs/keyed-requests',
    may: [...KERNEL, 'libs/http/idempotency.ts', 'libs/projection-engine/*'],
    packages: ['lru-cache', 'node:crypto', 'node:async_hooks'],
  },
  // Lanes, due work and the runner.
  {
    name: 'process engine',
    folder: 'libs/process-engine',
    may: [...KERNEL, 'libs/network/*', 'libs/projection-engine/*'],
    packages: ['node:timers/promises'],
  },

  // The features. Operator commands are in `commands`; only hosts and other commands import them.
  {
    name: 'operator commands',
    folder: [...features.map((feature) => `libs/${feature}/commands`), 'libs/ops'],
    may: [
      ...KERNEL,
      ...FEATURES,
      'libs/ops/**',
      'libs/network/*',
      'libs/projection-engine/*',
      'libs/keyed-requests/operator-claim.ts',
    ],
    packages: ['node:**'],
  },
  // Answers about credits for both apps: the only shared place with wire formats of the ledger.
  {
    name: 'ledger answers',
    folder: 'libs/ledger/answers',
    may: [...KERNEL, ...FEATURES],
    never: COMMANDS,
  },
  // Answers of job boards, feeds and registers, converted to observations.
  {
    name: 'sources',
    folder: 'libs/sources',
    may: [...KERNEL, 'libs/network/*', 'libs/outbound/*', 'projections/sources/**'],
    never: ['libs/network/*/**'],
    packages: [
      'csv-parse',
      'fast-xml-parser',
      'feedsmith',
      'html-to-text',
      'lru-cache',
      'robots-parser',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:stream',
      'node:timers/promises',
      'node:worker_threads',
    ],
  },
  // Names of places, and the countries that they belong to.
  {
    name: 'locations',
    folder: 'libs/identities/locations',
    may: ['libs/kernel/values/*'],
    packages: ['iso-3166', 'countries-list', 'node:fs', 'node:module'],
  },
  // Work with several callers (a request, a process, an operator), and the processes.
  {
    name: 'work of features',
    folder: features.map((feature) => `libs/${feature}`),
    may: [
      ...KERNEL,
      ...FEATURES,
      'libs/network/*',
      'libs/outbound/*',
      'libs/projection-engine/*',
      'libs/process-engine/*',
    ],
    never: COMMANDS,
    packages: ['node:buffer', 'node:crypto', 'node:timers/promises'],
  },

  // Hosts and composition: they import everything in libs, and only hosts and tests import them.
  { name: 'runtime', folder: 'libs/runtime', may: ['libs/**', 'projections/**'], packages: ['**'] },
  { name: 'cli', folder: 'apps/cli', may: ['libs/**'], packages: ['**'] },
  {
    name: 'worker',
    folder: 'apps/worker',
    may: ['libs/**', 'apps/console/src/console.module.ts'],
  },
  // Pages for operators: they send the same commands as the command line, from the list of all commands.
  {
    name: 'console',
    folder: 'apps/console',
    may: [...KERNEL, 'libs/http/*', 'libs/ops/support/*', 'libs/runtime/operator-commands.ts'],
    packages: ['@nestjs/common', 'node:crypto', 'node:fs', 'node:module'],
  },
  // Tools for assistants: they send the messages of the API by route, with the dispatch of `libs/http`.
  {
    name: 'mcp',
    folder: 'apps/mcp',
    may: [...KERNEL, 'libs/http/*'],
    packages: ['@modelcontextprotocol/server', '@nestjs/common'],
  },
  {
    name: 'api composition',
    folder: [
      'apps/api/src/main.ts',
      'apps/api/src/run.ts',
      'apps/api/src/service.ts',
      'apps/api/src/api.module.ts',
    ],
    may: [
      'libs/**',
      'apps/api/src/*',
      'apps/api/src/**/*.module.ts',
      'apps/api/src/reference/*',
      'apps/console/src/console.module.ts',
      'apps/mcp/src/mcp.module.ts',
    ],
    packages: ['**'],
  },
  {
    name: 'endpoints',
    folder: ['apps/api/src/*', 'apps/api/src/*.ts'],
    may: [
      ...KERNEL,
      'libs/http/*',
      'libs/network/*.port.ts',
      ...FEATURES,
      // what all features share is next to them
      'apps/api/src/*.ts',
      // an earlier feature
      'apps/api/src/*/**',
    ],
    never: [
      'apps/api/src/main.ts',
      'apps/api/src/run.ts',
      'apps/api/src/service.ts',
      'apps/api/src/api.module.ts',
      ...COMMANDS,
    ],
    packages: ['@nestjs/*', 'class-validator', 'class-transformer'],
  },

  { name: 'test', folder: 'test', may: ['**'], packages: ['**'] },
  // Plain Node scripts: they read compiled files.
  {
    name: 'tools',
    folder: 'tools',
    may: ['dist/**', 'test/mutations/**', 'test/support/**'],
    packages: [
      'node:**',
      'typescript',
      'openapi-typescript',
      'openapi-fetch',
      'esbuild',
      'eslint',
      'prettier',
      'ajv/**',
      'ajv-formats',
      'jest',
      'jest-circus',
      'jest-mock',
      // A lock of a file.
      '@photostructure/sqlite',
      'expect',
    ],
  },
];
