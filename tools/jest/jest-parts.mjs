// What a spec is written with. The build binds it into one file: spec files have processes of their own, and two hundred
// modules would be read in each.
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
