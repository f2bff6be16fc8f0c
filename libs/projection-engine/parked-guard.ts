import { AsyncLocalStorage } from 'node:async_hooks';
import { ReadModelUnavailable, type ReadModels, type ViewShape } from '#kernel/ports/read-store.port.js';

/** Read models that check a view before each answer from it; `requireServed` throws if the view cannot be served. */
export function servedReadModels(
  readModels: ReadModels,
  requireServed: (view: ViewShape) => Promise<void>,
): ReadModels {
  return {
    async get(view, key) {
      await requireServed(view);
      return readModels.get(view, key);
    },
    async getMany(view, keys) {
      await requireServed(view);
      return readModels.getMany(view, keys);
    },
    async find(view, query) {
      await requireServed(view);
      return readModels.find(view, query);
    },
    async count(view, filter) {
      await requireServed(view);
      return readModels.count(view, filter);
    },
    async groups(view, filter, grouping) {
      await requireServed(view);
      return readModels.groups(view, filter, grouping);
    },
  };
}

type IsParked = (viewName: string, workspaceId: number) => Promise<boolean>;

/** Throws `ReadModelUnavailable` for a workspace with parked events in the view: part of a history is no answer. */
async function requireWhole(isParked: IsParked, view: ViewShape, workspaceId: number): Promise<void> {
  if (!(await isParked(view.name, workspaceId))) return;
  throw new ReadModelUnavailable(
    `${view.name} is stopped for workspace ${workspaceId} until an operator retries it`,
  );
}

/** Read models as background work asks them about one workspace; they do not answer from a view in which it is parked. */
export const readModelsOf = (readModels: ReadModels, isParked: IsParked, workspaceId: number): ReadModels =>
  servedReadModels(readModels, (view) => requireWhole(isParked, view, workspaceId));

/**
 * The workspace of the current request. One for the process: Node copies every storage that was ever used to each
 * promise.
 */
const current = new AsyncLocalStorage<number>();

/**
 * Read models that do not answer for a workspace with parked events in the view. The workspace is taken
 * from the current request, so no query can omit the check.
 */
export function parkedGuard(
  readModels: ReadModels,
  isParked: IsParked,
): {
  readonly readModels: ReadModels;
  readonly inWorkspace: <Result>(workspaceId: number, work: () => Result) => Result;
} {
  async function requireServed(view: ViewShape): Promise<void> {
    const workspaceId = current.getStore();
    if (workspaceId !== undefined) await requireWhole(isParked, view, workspaceId);
  }
  return {
    inWorkspace: (workspaceId, work) => current.run(workspaceId, work),
    readModels: servedReadModels(readModels, requireServed),
  };
}
