import { allocatedId, type Ids, type SequenceKind } from '#kernel/commands/ids.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { inPieces } from '#kernel/values/pieces.js';
import { sideBySide } from '#kernel/values/side-by-side.js';

/** The number of streams that are read, and then written, concurrently. */
const CLAIMS_AT_ONCE = 50;

/**
 * People and companies that are not in memory are mostly new in the workspace, or mostly not: an event store that cannot prove it
 * reads so many of them, and the others only if one of these is not new.
 */
export const SAMPLE = 4;

/** The context of one command of a claim, by the name of the step. */
export type ContextOf = (step: string) => CommandContext;

/**
 * Claims all of them side by side. The ids of those that are new are drawn before, in the order of the list, and not
 * in that in which the stores answer.
 */
export async function claimAll<Seen, Known, Claimed>(
  ids: Ids,
  kind: SequenceKind,
  seen: readonly Seen[],
  lookUp: (seen: readonly Seen[]) => Promise<readonly Known[]>,
  isNew: (seen: Seen, known: Known) => boolean,
  claim: (seen: Seen, known: Known, takeId: () => number) => Promise<Claimed>,
): Promise<readonly Claimed[]> {
  const claimed: Claimed[] = [];
  for (const piece of inPieces(seen, CLAIMS_AT_ONCE)) {
    const found = await lookUp(piece);
    const looked = found.flatMap((known, index) => {
      const each = piece[index];
      return each === undefined ? [] : [{ each, known }];
    });
    const fresh = [
      ...(await ids.nextMany(kind, looked.filter(({ each, known }) => isNew(each, known)).length)),
    ];
    // Each takes its id before anything is waited for: in the order of the list.
    const takeId = (): number => allocatedId(fresh.splice(0, 1), 0);
    claimed.push(
      ...(await sideBySide(looked, CLAIMS_AT_ONCE, ({ each, known }) => claim(each, known, takeId))),
    );
  }
  return claimed;
}

/** The options of the commands of a claim. */
export const optionsFor = (contextOf: ContextOf) => (what: string, id: string | number) => ({
  context: contextOf(`${what}:${id}`),
  waitForReadModels: false,
});

/** The result of a claim of one. */
export function only<Claimed>(claimed: readonly Claimed[]): Claimed {
  const [first] = claimed;
  if (first === undefined) throw new Error('a claim came to nothing');
  return first;
}
