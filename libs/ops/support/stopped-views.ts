import { counted } from '#kernel/values/counted.js';
import { servedReadModels } from '#projection-engine/parked-guard.js';
import type { OperatorHost } from './operator-command.js';

/** The names of the read models that commands read, and the workspaces that they read them for; null: all. */
export type ReadViews = Map<string, Set<number | null>>;

/** The host for a command with this input, whose reads are noted in `read`. */
export function notingReads(host: OperatorHost, input: object, read: ReadViews): OperatorHost {
  const { workspace_id: given }: { readonly workspace_id?: unknown } = input;
  const workspaceId = typeof given === 'number' ? given : null;
  return {
    ...host,
    readModels: servedReadModels(host.readModels, async ({ name }) => {
      read.set(name, (read.get(name) ?? new Set()).add(workspaceId));
    }),
  };
}

/** More workspaces than these are not named. */
const MOST_NAMED = 20;

/** A sentence for each workspace for which read models are stopped that were read, and one for all workspaces. */
export async function stoppedNotes(
  { projections }: Pick<OperatorHost, 'projections'>,
  read: ReadViews,
): Promise<readonly string[]> {
  const stopped = await projections.stopped([...read.keys()]);
  const halted = stopped.flatMap(({ name, isHalted }) => (isHalted ? [name] : []));
  const byWorkspace = new Map<number, string[]>();
  for (const { name, workspaceIds } of stopped) {
    const asked = read.get(name);
    for (const workspaceId of workspaceIds.map(Number)) {
      if (asked?.has(null) !== true && asked?.has(workspaceId) !== true) continue;
      byWorkspace.set(workspaceId, [...(byWorkspace.get(workspaceId) ?? []), name]);
    }
  }
  const parked = [...byWorkspace].toSorted(([one], [other]) => one - other);
  const others = parked.length - MOST_NAMED;
  return [
    ...(halted.length === 0
      ? []
      : [`The newest entries may be missing. Read models that are stopped: ${listed(halted)}.`]),
    ...parked
      .slice(0, MOST_NAMED)
      .map(
        ([workspaceId, names]) =>
          `The newest entries of workspace ${workspaceId} may be missing. Read models that are stopped for it: ${listed(names)}.`,
      ),
    ...(others > 0 ? [`The newest entries of ${counted(others, 'further workspace')} may be missing.`] : []),
  ];
}

const listed = (names: readonly string[]): string => names.toSorted().join(', ');
