import type { CommandContext } from './decider.js';

/**
 * Whose events the streams of an aggregate hold. `workspace`: the stream is named `<workspace>` or
 * `<workspace>_<id>` and says it. `global`: nobody's. A function where streams are named after something else: each
 * event says it itself.
 */
export type Scope<Event> = 'workspace' | 'global' | ((event: Event) => number);

/** Whose a stream is: a workspace's, nobody's (null), or each event's own. */
export type Owner<Event> = number | null | ((event: Event) => number);

type Scoped<Event> = { readonly category: string; readonly scope: Scope<Event> };

/** Whose the stream with this id is. Throws where a workspace should be named and is not: a fault of ours. */
export function ownerOf<Event>({ category, scope }: Scoped<Event>, id: string): Owner<Event> {
  if (scope === 'global') return null;
  if (scope !== 'workspace') return scope;
  const named = /^([1-9]\d*)(?:_.|$)/.exec(id)?.[1];
  const workspaceId = Number(named);
  if (Number.isSafeInteger(workspaceId)) return workspaceId;
  throw new Error(`${category}-${id} names no workspace, and every ${category} belongs to one`);
}

/** A command would write to the stream of somebody whom its caller does not speak for; nothing was written. */
export class WrongWorkspace extends Error {
  constructor(stream: string, owner: number | null, context: CommandContext) {
    super(
      `${stream} is ${owner === null ? "nobody's" : `workspace ${owner}'s`}, not ${context.workspaceId}'s`,
    );
    this.name = 'WrongWorkspace';
  }
}

/** Throws `WrongWorkspace` where the caller speaks for another workspace than the owner. */
export function requireOwner(stream: string, owner: number | null, context: CommandContext): void {
  if (context.workspaceId !== null && context.workspaceId !== owner)
    throw new WrongWorkspace(stream, owner, context);
}
