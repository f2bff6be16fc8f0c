import { workspaceScoped } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';

/** Hex digits of SHA-256 in the name of an identity stream. */
const HASH_LENGTH = 32;

/** The id part of the stream of a company, person or content, by its identity. */
export const identityStream = (workspaceId: number, identity: string): string =>
  workspaceScoped(workspaceId, sha256Hex(identity).slice(0, HASH_LENGTH));
