/** The notice for an operator whose setting names a standalone server. */
export const standaloneNotice = (setting: string): string =>
  `${setting}: this MongoDB is standalone; a replica set of one node is better: docs/runbooks/mongodb-replica-set.md`;
