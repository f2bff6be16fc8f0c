import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { allocatedId } from '#kernel/commands/ids.js';
import { inPieces, inPiecesOfBytes } from '#kernel/values/pieces.js';
import type { EventOf } from '#kernel/events/event.js';
import type { ProcessHost } from '#process-engine/process.js';
import type { ListStreamEvents, ListKind } from './domain/lists/list.events.js';
import type { List } from './domain/lists/list-state.js';
import { list, requireKind } from './domain/lists/list.js';
import { addMembers } from './domain/lists/list-members.js';
import {
  entityOf,
  identifiersOf,
  judge,
  lookupOf,
  type MemberCandidate,
  type Lookup,
  type MemberRow,
  type Verdict,
} from './domain/lists/member-admission.js';
import {
  MAX_MEMBERS_AT_ONCE,
  MAX_PIECE_BYTES,
  type AddedMember,
  type MembershipSource,
} from './domain/lists/member.events.js';
import { resolveEntities, type NetworkDirectory } from '#network/network-directory.port.js';

const RESOLVED_AT_ONCE = 500;

/** The look-up and the verdict of each row, in order. */
export async function judgeRows(
  directory: NetworkDirectory,
  networkBaseUrl: string,
  kind: ListKind,
  rows: readonly MemberRow[],
): Promise<{ readonly lookups: readonly Lookup[]; readonly verdicts: readonly Verdict[] }> {
  const lookups = rows.map((row) => lookupOf(kind, row));
  const verdicts: Verdict[] = [];
  for (const piece of inPieces(lookups, RESOLVED_AT_ONCE)) {
    const answers = await resolveEntities(directory, entityOf(kind), identifiersOf(piece));
    verdicts.push(...judge(piece, answers, networkBaseUrl));
  }
  return { lookups, verdicts };
}

/** The list that gets members, the source and the request. */
export type Addition = {
  readonly workspaceId: number;
  readonly kind: ListKind;
  readonly listId: number;
  readonly source: MembershipSource;
  readonly context: CommandContext;
  /** Throws a refusal before the first member is added; not called if an earlier attempt has added members. */
  readonly check?: () => Promise<void>;
};

type Host = Pick<ProcessHost, 'commands' | 'ids' | 'clock'>;

/**
 * Adds the members that the list does not have yet and returns them in order, a hundred per command. If it stops in
 * between, a repetition adds the missing members.
 */
export async function addInPieces(
  { commands, ids, clock }: Host,
  { workspaceId, kind, listId, source, context, check }: Addition,
  candidates: readonly MemberCandidate[],
  onPiece: (done: number) => void = () => undefined,
): Promise<readonly AddedMember[]> {
  const stream = workspaceScoped(workspaceId, listId);
  const added: AddedMember[] = [];
  let done = 0;
  const pieces = inPiecesOfBytes(candidates, MAX_MEMBERS_AT_ONCE, MAX_PIECE_BYTES);
  for (const [number, piece] of (pieces.length === 0 ? [[]] : pieces).entries()) {
    const commandId = number === 0 ? context.commandId : `${context.commandId}:${number}`;
    const memberIds = await ids.nextMany('member', piece.length, commandId);
    const members = piece.map((candidate, index) => ({
      memberId: allocatedId(memberIds, index),
      ...candidate,
    }));
    const decision = addMembers({ members, source, now: clock.now().toISOString() });
    const prepare = async () => {
      if (number === 0) await check?.();
      return (state: List) => decision(requireKind(state, kind));
    };
    const options = {
      context: { ...context, commandId },
      answer: (_: unknown, events: readonly EventOf<ListStreamEvents>[]) =>
        events.flatMap(({ type, data }) => (type === 'MembersAdded' ? data.members : [])),
    };
    const { answer } = await commands.handle(list, stream, { prepare }, options);
    added.push(...answer);
    onPiece((done += piece.length));
  }
  return added;
}
