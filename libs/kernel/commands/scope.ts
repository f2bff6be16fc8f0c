import type { CommandContext } from './decider.js';

/**
 * Which workspace the events of an aggregate belong to. `workspace`: the stream name `<workspace>` or
 * `<workspace>_<id>` says it. `global`: none. A function: streams are named after something else, and each event says
 * it.
 */
export type Scope<Event> = 'workspace' | 'global' | ((event: Event) => number);

/** The owner of a stream: a workspace, none (null), or named by each event. */
export type Owner<Event> = number | null | ((event: Event) => number);

type Scoped<Event> = { readonly category: string; readonly scope: Scope<Event> };

/**
 * The owner of the stream with this id. Throws if a workspace should be named and is not, which is a programming
 * error.
 */
export function ownerOf<Event>({ category, scope }: Scoped<Event>, id: string): Owner<Event> {
  if (scope === 'global') return null;
  if (scope !== 'workspace') return scope;
  const named = /^([1-9]\d*)(?:_.|$)/.exec(id)?.[1];
  const workspaceId = Number(named);
  if (Number.isSafeInteger(workspaceId)) return workspaceId;
  throw new Error(`${category}-${id} names no workspace, and every ${category} belongs to one`);
}

/** A command would write to a stream of a workspace that its caller does not act for; nothing was written. */
export class WrongWorkspace extends Error {
  constructor(stream: string, owner: number | null, context: CommandContext) {
    super(
      `${stream} belongs to ${owner === null ? 'no workspace' : `workspace ${owner}`}, not to ${context.workspaceId}`,
    );
    this.name = 'WrongWorkspace';
  }
}

/** Throws `WrongWorkspace` if the caller acts for another workspace than the owner. */
export function requireOwner(stream: string, owner: number | null, context: CommandContext): void {
  if (context.workspaceId !== null && context.workspaceId !== owner)
    throw new WrongWorkspace(stream, owner, context);
}
