import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { canonicalJson, type JsonObject } from '#kernel/values/json.js';
import {
  claim,
  claimForAttempt,
  idsOfAttempts,
  idsOfClaim,
  mayBeDoneSince,
  operatorRequest,
  operatorStream,
} from './request.js';

type Host = { readonly commands: Commands };

/** A call of an operator command with a key; `field` is the member of the input that has the key. */
export type KeyedCall = {
  readonly command: string;
  readonly field: string;
  readonly key: string;
  readonly requestHash: string;
};

/** The call of a command with this input; null without a key. */
export function keyedCall(command: string, field: string, input: JsonObject): KeyedCall | null {
  const { [field]: key } = input;
  return typeof key === 'string'
    ? { command, field, key, requestHash: sha256Hex(canonicalJson(input)) }
    : null;
}

const streamOf = ({ command, key }: KeyedCall): string => operatorStream(command, key);

export type ClaimedCall = {
  /** An id of the first call. */
  readonly idOf: (name: string) => number;
  /** A command that the first call sent with this context is not carried out again. */
  readonly context: CommandContext;
};

/**
 * Claims the key of a call. `allocate` runs for the first call only, and may refuse: then the key stays free. Without a
 * key every call is a first one. Throws `keyOfOtherRequest` if the key was used with other input.
 */
export async function claimCall(
  { commands }: Host,
  call: KeyedCall | null,
  context: CommandContext,
  allocate: () => Promise<{ readonly [name: string]: number }>,
): Promise<ClaimedCall> {
  if (call === null) return { idOf: readerOf(await allocate()), context };
  const stream = streamOf(call);
  const isClaimed = await commands.load(operatorRequest, stream, (state) => state.claim !== null);
  const own = { requestHash: call.requestHash, commandId: context.commandId };
  const wanted = { ...own, ids: isClaimed ? {} : await allocate() };
  const { answer } = await commands.handle(operatorRequest, stream, claim(call.field, wanted), {
    context,
    answer: (state) => ({ ...(state.claim ?? wanted), since: mayBeDoneSince(state) }),
  });
  return {
    idOf: readerOf(answer.ids),
    context: { ...context, commandId: answer.commandId, mayBeDoneSince: answer.since },
  };
}

const readerOf = (ids: JsonObject) => (name: string) => {
  const { [name]: id } = ids;
  if (typeof id !== 'number') throw new Error(`the claim of the key holds no ${name}`);
  return id;
};

/** The id that the first call with the key allocated; null if there was none. Throws as `claimCall`. */
export async function idOfEarlierCall(
  { commands }: Host,
  call: KeyedCall | null,
  name: string,
): Promise<number | null> {
  if (call === null) return null;
  const { field, requestHash } = call;
  const ids = await commands.load(operatorRequest, streamOf(call), idsOfClaim(field, requestHash));
  return ids === null ? null : readerOf(ids)(name);
}

/** The ids of this kind that earlier calls with the key recorded. Throws as `claimCall`. */
export const idsOfEarlierCalls = (
  { commands }: Host,
  call: KeyedCall,
  kind: string,
): Promise<readonly number[]> =>
  commands.load(operatorRequest, streamOf(call), idsOfAttempts(call.field, call.requestHash, kind));

/** Records an id that this call is going to use, and claims the key if it is free. Returns the ids of all other calls. */
export async function claimId(
  { commands }: Host,
  call: KeyedCall,
  context: CommandContext,
  kind: string,
  id: number,
): Promise<readonly number[]> {
  const { field, requestHash } = call;
  const { commandId } = context;
  const decision = claimForAttempt(field, { requestHash, commandId }, commandId, kind, id);
  const idsOf = idsOfAttempts(field, requestHash, kind);
  const { answer } = await commands.handle(operatorRequest, streamOf(call), decision, {
    context,
    answer: idsOf,
  });
  return answer.filter((other) => other !== id);
}
