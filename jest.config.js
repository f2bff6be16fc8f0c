/** The compiled specs as they are: nothing is transformed, mapped or shimmed (docs/adr/0001). */
export default {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/dist'],
  testMatch: ['**/*.spec.js'],
  runner: '<rootDir>/tools/jest/runner.mjs',
  reporters: ['default', '<rootDir>/tools/jest/count-reporter.mjs'],
  transform: {},
  haste: { forceNodeFilesystemAPI: true },
  watchman: false,
  maxWorkers: 4,
};
