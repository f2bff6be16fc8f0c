import type { ActingOperator } from '#kernel/values/operators.js';

/** A page that every page links to. */
export type NavigationEntry = {
  readonly path: string;
  readonly name: string;
  /** Present where finance may see it (CON-03). */
  readonly forFinance?: true;
};

/** The pages of the whole service. */
const servicePages: readonly NavigationEntry[] = [
  { path: '/console', name: 'Workspaces', forFinance: true },
  { path: '/console/sources', name: 'Sources' },
  { path: '/console/read-models', name: 'Read models' },
  { path: '/console/work', name: 'Due work' },
  { path: '/console/operators', name: 'Operators', forFinance: true },
];

/** The pages of one workspace; each path stands below the address of the workspace. */
const workspacePages: readonly NavigationEntry[] = [
  { path: 'ledger', name: 'Ledger', forFinance: true },
  { path: 'signals', name: 'Signals', forFinance: true },
  { path: 'runs', name: 'Runs', forFinance: true },
  { path: 'schedules', name: 'Schedules', forFinance: true },
  { path: 'holds', name: 'Holds', forFinance: true },
  { path: 'months', name: 'Month close', forFinance: true },
  { path: 'access', name: 'Access', forFinance: true },
];

const seenBy =
  (role: ActingOperator['role']) =>
  ({ forFinance }: NavigationEntry): boolean =>
    role === 'operator' || forFinance === true;

export const servicePagesFor = (role: ActingOperator['role']): readonly NavigationEntry[] =>
  servicePages.filter(seenBy(role));

/** The pages of a workspace, each with its whole path. */
export const workspacePagesFor = (
  role: ActingOperator['role'],
  workspaceId: number,
): readonly NavigationEntry[] =>
  workspacePages
    .filter(seenBy(role))
    .map((place) => ({ ...place, path: `/console/workspaces/${workspaceId}/${place.path}` }));
