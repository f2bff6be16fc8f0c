// The Jest functions for specs. The build bundles them into one file: spec files have processes of their own, and
// each would load two hundred modules.
export { expect } from 'expect';
export {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  getState,
  it,
  resetState,
  run,
  test,
} from 'jest-circus';
export { ModuleMocker } from 'jest-mock';
