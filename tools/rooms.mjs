/**
 * The rooms of the house and what each may import: one row a room, the first row that matches a file counts.
 * What a row does not name is forbidden. `*` is one path segment, `**` any number; a room may always import its
 * own folder (the part of the path that `folder` matched).
 *
 * folder    which files the row is about
 * may       files of other rooms
 * packages  packages and `node:` modules
 * never     taken out of `may` again
 * specs     what `*.spec.ts` files of the room may import besides
 */
const FACTS = [
  'libs/domain/*/*.events.ts',
  'libs/domain/*/*.event.ts',
  'libs/domain/*/*-facts.ts',
  'libs/domain/agents/agent-types.ts',
];
const SCHEMA_LIBRARY = ['@sinclair/typebox', 'ajv/**', 'ajv-formats'];
const KERNEL = ['values', 'ports', 'events', 'commands', 'projections'].map(
  (floor) => `libs/kernel/${floor}/*`,
);

/** What a request, a process and an operator may all ask for. */
const SHARED_WORK = [
  'charging',
  'detection',
  'identities',
  'launching',
  'ledger',
  'lists',
  'mapping',
  'monitoring',
].map((noun) => `libs/${noun}/**`);

/** Permissions that are given as one: a room that needs one of a set has the set. */
export const permissionSets = [FACTS, SCHEMA_LIBRARY, KERNEL, SHARED_WORK];

/** What the specs beside the code may import in every room. */
export const forSpecs = ['fast-check', 'libs/kernel/testing/*'];

export const rooms = [
  { name: 'scenarios of the kernel', folder: 'libs/kernel/testing', may: KERNEL },
  // The floors of the kernel: each stands on those before it.
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
    packages: ['node:crypto'],
  },
  {
    name: 'declared projections',
    folder: 'libs/kernel/projections',
    may: ['libs/kernel/values/*', 'libs/kernel/ports/*', 'libs/kernel/events/*'],
  },

  // A launch is one idea with two owners: a setup and an agent both keep launches on their own stream, so
  // these two share the vocabulary and the rules of it.
  {
    name: 'domain of those that launch',
    folder: ['libs/domain/agents', 'libs/domain/signal-setups'],
    may: [...KERNEL, ...FACTS, 'libs/domain/signal-launches/launches.ts'],
    specs: ['libs/domain/catalogue/catalogue-file.ts'],
  },
  {
    name: 'domain',
    folder: 'libs/domain/*',
    may: [...KERNEL, ...FACTS],
    // specs run the rules on the catalogue that is shipped
    specs: ['libs/domain/catalogue/catalogue-file.ts'],
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
  // Between two event stores, whatever they are: it knows the port and no adapter.
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
    packages: ['@photostructure/sqlite', 'node:**'],
  },
  {
    name: 'network adapters',
    folder: 'libs/network/mongodb',
    may: [...KERNEL, 'libs/network/*', 'libs/mongodb/*'],
    packages: ['mongodb', 'node:**'],
  },
  // The one way out of this service.
  {
    name: 'outbound',
    folder: 'libs/outbound',
    packages: ['ipaddr.js', 'node:**'],
  },
  // What the answers of job boards, feeds and registers say, as observations.
  {
    name: 'sources',
    folder: 'libs/sources',
    may: [...KERNEL, 'libs/network/*', 'libs/outbound/*', 'projections/sources/*'],
    never: ['libs/network/*/**'],
    packages: ['fast-xml-parser', 'feedsmith', 'html-to-text', 'robots-parser', 'node:crypto'],
  },
  // What places are called, and which countries are meant.
  {
    name: 'locations',
    folder: 'libs/locations',
    may: ['libs/kernel/values/*'],
    packages: ['iso-3166', 'countries-list', 'node:fs', 'node:module'],
  },
  // The ports and what is told from observations alone; they never lean on an adapter.
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

  // Work that more than one door asks for (a request, a process, an operator): one room a noun.
  { name: 'access', folder: 'libs/access', may: [...KERNEL, 'libs/domain/api-keys/*'] },
  {
    name: 'clock',
    folder: 'libs/clock',
    may: [...KERNEL, 'libs/domain/clock/*'],
    packages: ['node:crypto'],
  },
  {
    name: 'keyed requests',
    folder: 'libs/keyed-requests',
    may: [...KERNEL, 'libs/domain/requests/*', 'libs/http/idempotency.ts', 'libs/projection-engine/*'],
    packages: ['lru-cache', 'node:crypto', 'node:async_hooks'],
  },
  // What both doors answer about money: the one place outside of them that knows wire shapes of the ledger.
  {
    name: 'ledger answers',
    folder: 'libs/ledger/answers',
    may: [...KERNEL, 'libs/domain/credits/*', 'libs/ledger/*', 'projections/**'],
  },
  {
    name: 'ledger',
    folder: 'libs/ledger',
    may: [...KERNEL, 'libs/domain/credits/*'],
    packages: ['node:crypto', 'node:timers/promises'],
  },
  {
    name: 'charging',
    folder: 'libs/charging',
    may: [...KERNEL, 'libs/domain/**', 'projections/**', 'libs/projection-engine/*'],
  },
  {
    name: 'identities',
    folder: 'libs/identities',
    may: [...KERNEL, 'libs/domain/**'],
  },
  {
    name: 'detection',
    folder: 'libs/detection',
    may: [
      ...KERNEL,
      'libs/domain/**',
      'projections/**',
      'libs/network/*',
      'libs/locations/*',
      'libs/outbound/*',
    ],
    packages: ['node:buffer'],
  },
  {
    name: 'launching',
    folder: 'libs/launching',
    may: [
      ...KERNEL,
      'libs/domain/**',
      'projections/**',
      'libs/charging/*',
      'libs/detection/*',
      'libs/ledger/answers/*',
    ],
  },
  {
    name: 'lists',
    folder: 'libs/lists',
    may: [...KERNEL, 'libs/domain/**', 'libs/network/*.port.ts'],
  },
  {
    name: 'monitoring',
    folder: 'libs/monitoring',
    may: [
      ...KERNEL,
      'libs/domain/**',
      'projections/**',
      'libs/ledger/answers/*',
      'libs/charging/*',
      'libs/detection/*',
      'libs/identities/*',
      'libs/network/*.port.ts',
    ],
  },
  {
    name: 'mapping',
    folder: 'libs/mapping',
    may: [
      ...KERNEL,
      'libs/domain/**',
      'libs/charging/*',
      'libs/detection/*',
      'libs/network/*.port.ts',
      'projections/companies/*',
    ],
  },
  {
    name: 'processes',
    folder: 'libs/processes',
    may: [
      ...KERNEL,
      ...SHARED_WORK,
      'libs/domain/**',
      'projections/**',
      'libs/network/*',
      'libs/projection-engine/*',
    ],
    packages: ['node:timers/promises'],
  },
  {
    name: 'operator commands',
    folder: 'libs/ops',
    may: [
      ...KERNEL,
      ...SHARED_WORK,
      'libs/domain/**',
      'projections/**',
      'libs/network/*',
      'libs/projection-engine/*',
    ],
    packages: ['node:**'],
  },

  // Hosts and composition: they know everything in libs, and nobody but hosts and tests knows them.
  { name: 'runtime', folder: 'libs/runtime', may: ['libs/**', 'projections/**'], packages: ['**'] },
  { name: 'cli', folder: 'apps/cli', may: ['libs/**'], packages: ['**'] },
  {
    name: 'worker',
    folder: 'apps/worker',
    may: ['libs/**'],
  },
  {
    name: 'api composition',
    folder: [
      'apps/api/src/main.ts',
      'apps/api/src/run.ts',
      'apps/api/src/service.ts',
      'apps/api/src/api.module.ts',
    ],
    may: ['libs/**', 'apps/api/src/*', 'apps/api/src/*/*.module.ts', 'apps/api/src/reference/*'],
    packages: ['**'],
  },
  {
    name: 'api resources',
    folder: 'apps/api/src/*',
    may: [
      ...KERNEL,
      'libs/http/*',
      'libs/network/*.port.ts',
      'libs/locations/*',
      ...SHARED_WORK,
      'libs/domain/**',
      'projections/**',
      // what resources share stands beside them, never in one of them
      'apps/api/src/*.ts',
    ],
    never: [
      'apps/api/src/main.ts',
      'apps/api/src/run.ts',
      'apps/api/src/service.ts',
      'apps/api/src/api.module.ts',
    ],
    packages: ['@nestjs/*', 'class-validator', 'class-transformer'],
  },
  {
    name: 'api shared',
    folder: 'apps/api/src/*.ts',
    may: [...KERNEL, 'libs/http/*', ...SHARED_WORK, 'libs/domain/**', 'projections/**'],
    never: [
      'apps/api/src/main.ts',
      'apps/api/src/run.ts',
      'apps/api/src/service.ts',
      'apps/api/src/api.module.ts',
    ],
  },

  { name: 'test', folder: 'test', may: ['**'], packages: ['**'] },
  // Plain Node around the house: they read what was compiled.
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
      'prettier',
      'ajv/**',
      'ajv-formats',
      'jest',
      'jest-circus',
      'jest-mock',
      'expect',
    ],
  },
];
