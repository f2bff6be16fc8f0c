// What a spec is written with. The build binds it into one file: each spec file has a process of its own, and two hundred
// modules would be read in each.
export { expect } from 'expect';
export { afterAll, afterEach, beforeAll, beforeEach, describe, getState, it, run, test } from 'jest-circus';
export { ModuleMocker } from 'jest-mock';
