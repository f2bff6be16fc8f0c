import type { SourceDesk } from '#sources/source-desk.js';

/** The sources of a host that reads none. */
export const noSources: SourceDesk = {
  contact: null,
  hasSeveralWorkspaces: async () => false,
  start: () => undefined,
  stop: async () => undefined,
  poll: () => Promise.reject(new Error('this host polls no sources')),
  read: () => Promise.reject(new Error('this host reads no sources')),
};
