/** The lease of a group. */
export function groupLease(groupName: string): string {
  return `projections:${groupName}`;
}

/** The lease for views that are projected ahead of a group's leader. */
export function aheadLease(groupName: string): string {
  return `projections:${groupName}:ahead`;
}
