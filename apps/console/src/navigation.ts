import type { ActingOperator } from '#kernel/values/operators.js';

/** A page that every page links to. */
export type NavigationEntry = {
  readonly path: string;
  readonly name: string;
  /** Present if finance may see it (CON-03). */
  readonly forFinance?: true;
  /** Present if a read-only link may see it. */
  readonly forLink?: true;
};

/** The viewer: an operator by role, or a read-only link. */
type Viewer = ActingOperator['role'] | 'link';

/** The pages of the whole service. */
const servicePages: readonly NavigationEntry[] = [
  { path: '/console', name: 'Workspaces', forFinance: true },
  { path: '/console/sources', name: 'Sources' },
  { path: '/console/read-models', name: 'Read models' },
  { path: '/console/log', name: 'Event log' },
  { path: '/console/work', name: 'Due work' },
  { path: '/console/prices', name: 'Prices', forFinance: true },
  { path: '/console/operators', name: 'Operators', forFinance: true },
  { path: '/console/audit', name: 'Audit log', forFinance: true },
];

/** The pages of one workspace; each path is below the address of the workspace. */
const workspacePages: readonly NavigationEntry[] = [
  { path: 'ledger', name: 'Ledger', forFinance: true, forLink: true },
  { path: 'charges', name: 'Charges', forFinance: true, forLink: true },
  { path: 'signals', name: 'Signals', forFinance: true, forLink: true },
  { path: 'runs', name: 'Runs', forFinance: true, forLink: true },
  { path: 'schedules', name: 'Schedules', forFinance: true, forLink: true },
  { path: 'monitoring', name: 'Monitoring', forFinance: true, forLink: true },
  { path: 'holds', name: 'Holds', forFinance: true, forLink: true },
  { path: 'verify', name: 'Verify', forFinance: true },
  { path: 'months', name: 'Month close', forFinance: true, forLink: true },
  { path: 'deliveries', name: 'Deliveries', forFinance: true },
  { path: 'access', name: 'Access', forFinance: true },
];

const seenBy =
  (viewer: Viewer) =>
  ({ forFinance, forLink }: NavigationEntry): boolean =>
    viewer === 'operator' || (viewer === 'finance' ? forFinance === true : forLink === true);

export const servicePagesFor = (role: ActingOperator['role']): readonly NavigationEntry[] =>
  servicePages.filter(seenBy(role));

/** The pages of a workspace, with complete paths. */
export const workspacePagesFor = (viewer: Viewer, workspaceId: number): readonly NavigationEntry[] =>
  workspacePages
    .filter(seenBy(viewer))
    .map((place) => ({ ...place, path: `/console/workspaces/${workspaceId}/${place.path}` }));
