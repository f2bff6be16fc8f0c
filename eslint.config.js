import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * Where values come from outside the type system, or where types are erased to keep many kinds in one registry,
 * and are pinned down again with `as`. Everywhere else an assertion hides a mistake.
 */
const EDGES = [
  // drivers answer rows without types
  'libs/{event-store,read-store,network}/*/**/*.ts',
  'libs/sqlite/**/*.ts',
  'libs/mongodb/**/*.ts',
  // the kernel runs aggregates and projections of all kinds; the event codec is what makes it true
  'libs/kernel/{commands/commands,commands/decider,commands/stream-queue,projections/projection}.ts',
  'libs/kernel/testing/*.ts',
  'libs/signals/detection/testing/*.ts',
  'libs/ledger/domain/ledger-entry.ts',
  // what comes back from a snapshot or an index of ours, checked by version and checksum
  'libs/ledger/domain/{account-snapshot,ledger-memory}.ts',
  'libs/lists/domain/lists/list-snapshot.ts',
  'libs/accounts/domain/top-accounts/top-accounts-snapshot.ts',
  'libs/kernel/commands/journaled-map.ts',
  // Nest and fastify hand over unknown values; endpoint declarations are kept with their types erased
  'libs/http/{body-reader,endpoint,compiled-endpoint,mount-endpoints,request-lifecycle}.ts',
  'libs/ops/support/run-command.ts',
  'apps/api/src/service.ts',
  // the command line
  'apps/cli/**/*.ts',
  // answers of a running service are parsed JSON
  'test/**/*.ts',
  '**/*.spec.ts',
];

/** What Jest gives to the specs, and the compiler believes to be everywhere. */
const FOR_TESTS = [
  'describe',
  'it',
  'test',
  'expect',
  'jest',
  'beforeAll',
  'beforeEach',
  'afterAll',
  'afterEach',
];

/** Folds and decisions see only their arguments: the same history gives the same answer for ever. */
const PURE = ['libs/*/domain/**/*.ts', 'projections/**/*.ts', 'libs/ledger/history/*.ts'];

const LEFT_OUT = 'A test that is left out, or leaves the others out, proves nothing.';
/** Also `it.only.each`; what is chosen by a condition, `(isThere ? describe : describe.skip)(…)`, says why it is not run. */
const onlyTests = [
  {
    selector:
      'CallExpression[callee.object.name=/^(describe|it|test)$/][callee.property.name=/^(only|skip|todo|failing)$/]',
    message: LEFT_OUT,
  },
  {
    selector:
      'MemberExpression > MemberExpression.object[object.name=/^(describe|it|test)$/][property.name=/^(only|skip|todo|failing)$/]',
    message: LEFT_OUT,
  },
  { selector: 'Identifier[name=/^(f(describe|it)|x(describe|it|test))$/]', message: LEFT_OUT },
];
const everywhere = [
  { selector: 'TSEnumDeclaration', message: 'A union of literals says the same.' },
  {
    selector: ':function NewExpression[callee.name="AsyncLocalStorage"]',
    message: 'One for the process: Node copies every storage that was ever used to each promise.',
  },
];
const noClock = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0]",
  message: 'Time is an argument.',
};

/** In a handler, and in what several share: what waits and may refuse is told to the command path, which looks for an earlier attempt first. */
const insideHandler =
  ':matches(CallExpression[callee.name="handle"], ExportNamedDeclaration > FunctionDeclaration) AwaitExpression';
const notPrepared =
  ':not(:matches(Property[key.name="prepare"], VariableDeclarator[id.name=/^(prepare|check)$/]) *)';
const checkedOutside = {
  selector: ['callee.property.name="load"', 'callee.name=/^require/']
    .map((check) => `${insideHandler}${notPrepared} > CallExpression[${check}]`)
    .join(', '),
  message:
    'Give it to commands.handle as `prepare`: a repetition must not be refused for what it changed itself.',
};

const forAll = {
  'no-console': 'error',
  'no-debugger': 'error',
  'no-var': 'error',
  'no-undef': 'off',
  'prefer-const': 'error',
  eqeqeq: 'error',
};

export default defineConfig(
  globalIgnores(['dist/', 'node_modules/', 'data/', 'coverage/', '.cache/', 'clients/', 'tools/client/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      ...forAll,
      'no-restricted-syntax': ['error', ...onlyTests, ...everywhere],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      // a file with decorators is left alone: Nest needs the classes it injects as values
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-for-in-array': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['{apps,libs,projections}/**/*.ts'],
    ignores: ['**/*.spec.ts', 'libs/kernel/testing/*.ts'],
    rules: { 'no-restricted-globals': ['error', ...FOR_TESTS] },
  },
  {
    files: EDGES,
    rules: { '@typescript-eslint/consistent-type-assertions': 'off' },
  },
  {
    files: PURE,
    // long reads tell how far they are
    ignores: ['**/*.spec.ts', 'libs/ledger/history/ledger-history.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...onlyTests, ...everywhere, noClock],
      'no-restricted-globals': [
        'error',
        ...FOR_TESTS,
        'process',
        'performance',
        'crypto',
        'setTimeout',
        'setInterval',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time is an argument.' },
        { object: 'Math', property: 'random', message: 'Chance is an argument.' },
      ],
    },
  },
  {
    files: ['libs/*/domain/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...onlyTests,
        ...everywhere,
        noClock,
        { selector: ':function[async=true]', message: 'A decision waits for nothing.' },
      ],
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts', 'projections/**/*.ts'],
    // what a suite describes is a list of tests
    ignores: ['**/*.spec.ts'],
    rules: {
      'max-lines-per-function': ['error', { max: 130, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['apps/api/src/**/*.command.ts'],
    rules: { 'no-restricted-syntax': ['error', ...onlyTests, ...everywhere, checkedOutside] },
  },
  // answers over HTTP as a client sees them: any JSON
  { files: ['test/api/**/*.ts'], rules: { '@typescript-eslint/no-explicit-any': 'off' } },
  // a process that cannot start says why on standard error; the command line and the benchmarks print
  {
    files: ['libs/runtime/run-service.ts', 'apps/cli/**/*.ts', 'test/bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  { files: ['**/*.{js,mjs}'], rules: { ...forAll, 'no-console': 'off' } },
);
