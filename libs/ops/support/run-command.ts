import type { ActingOperator } from '#kernel/values/operators.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { orderedUuid } from '#kernel/values/ordered-uuid.js';
import { refusal } from '#kernel/values/refusal.js';
import { parseCredits, type Credits } from '#kernel/values/credits.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { Faults } from '#kernel/values/faults.js';
import { collectUnstorableText } from '#kernel/values/unstorable-text.js';
import { errorsOf, type SchemaFault } from '#kernel/values/schema-faults.js';
import { invalidInput } from './amounts.js';
import { unfit } from './closed-schema.js';
import { Type, type TObject, type TSchema } from '#kernel/values/schema.js';
import type {
  ExportCommand,
  OperatorCommand,
  OperatorHost,
  StreamCommand,
  StreamOptions,
} from './operator-command.js';
import { notingReads, stoppedNotes, type ReadViews } from './stopped-views.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';

const quiet: OnProgress = () => undefined;

/** Who calls a command, and the id of the request or call. */
export type OperatorCall = { readonly operator: ActingOperator; readonly correlationId: string };

const commandNotOfRole = refusal({
  code: 'command-not-of-role',
  kind: 'forbidden',
  detail: 'The role of the operator does not allow this command.',
});

type ForRole = { readonly name: string; readonly forFinance?: true };

/** Whether the role of the operator allows the command. */
export const mayCall = ({ forFinance }: ForRole, { role }: ActingOperator): boolean =>
  role === 'operator' || forFinance === true;

/** Throws `commandNotOfRole` if the role of the operator does not allow the command. */
export function requireRole(command: ForRole, operator: ActingOperator): void {
  if (mayCall(command, operator)) return;
  const { name, role } = operator;
  throw commandNotOfRole({ detail: `${name} has the role ${role}, which does not allow ${command.name}.` });
}

/**
 * Runs an operator command on input of any origin. The role of the operator is checked first, then the input against the
 * command's schema: invalid input is refused with the name of every wrong field. Unknown fields are refused too: a
 * misspelt option must not be ignored.
 */
export function runCommand(
  host: OperatorHost,
  command: OperatorCommand,
  input: unknown,
  { operator, correlationId }: OperatorCall,
  onProgress: OnProgress = quiet,
): Promise<unknown> {
  checkCall(command, input, operator);
  // Ordered by time: the audit log has a document per id, and then writes only the last pages of its indexes.
  const context = contextOf(operator, orderedUuid(Date.now()), correlationId);
  return command.run(host, input as never, context, onProgress);
}

/** Runs an operator command; `notes` of the answer name the read models that it read and that are stopped (OPS-43). */
export async function runNotedCommand(
  host: OperatorHost,
  command: OperatorCommand,
  input: unknown,
  call: OperatorCall,
  onProgress: OnProgress = quiet,
): Promise<unknown> {
  const read: ReadViews = new Map();
  const noting = notingReads(host, hasMembers(input) ? input : {}, read);
  const output = await runCommand(noting, command, input, call, onProgress);
  if (read.size === 0) return output;
  const notes = await stoppedNotes(host, read).catch((error: unknown) => {
    // What was done stays done, and its answer may show a secret once.
    if (error instanceof StoreUnavailable) return [];
    throw error;
  });
  if (notes.length === 0 || !hasMembers(output)) return output;
  const { notes: own } = output;
  return { ...output, notes: [...(Array.isArray(own) ? own : []), ...notes] };
}

/** The schema of the answers of `runNotedCommand`. */
export const notedOutput = ({ output }: OperatorCommand): TSchema => ({
  ...output,
  properties: { notes: Type.Optional(Type.Array(Type.String())), ...output['properties'] },
});

/** The context of the commands of an operator, for all workspaces. */
export const contextOf = (
  { name, via }: ActingOperator,
  commandId: string,
  correlationId: string,
): CommandContext => ({
  commandId,
  actor: { kind: 'operator', id: name, ...(via === undefined ? {} : { via }) },
  workspaceId: null,
  correlationId,
});

/** Throws the refusals of `runCommand` from before the command runs: `commandNotOfRole`, `invalidInput`. */
export function checkCall(command: OperatorCommand, input: unknown, operator: ActingOperator): void {
  requireRole(command, operator);
  refuseUnfit(command.input, input);
}

/**
 * The charge of a call of a ledger command, from its input and answer, and the remaining balance; null for other
 * commands.
 */
export function reportedCredits(
  command: OperatorCommand,
  input: unknown,
  output: unknown,
): { readonly charged: Credits; readonly remaining: Credits } | null {
  if (command.charge === undefined || !hasMembers(output) || !hasMembers(output['balance'])) return null;
  const { balance, replayed, movement_id } = output;
  const remaining = parseCredits(balance['balance']);
  if (remaining === null) return null;
  // An exempt workspace is not charged, and a repetition is not charged again.
  const isCharged = replayed !== true && movement_id !== null;
  return { charged: isCharged ? command.charge(input as never) : 0n, remaining };
}

const hasMembers = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null;

/** Begins an export with input of any origin, checked as for `runCommand`. */
export function runExport(
  host: OperatorHost,
  command: ExportCommand,
  input: unknown,
  operator: ActingOperator,
  onProgress: OnProgress = quiet,
): { readonly contentType: string; readonly text: Promise<AsyncIterable<string>> } {
  requireRole(command, operator);
  refuseUnfit(command.input, input);
  return {
    contentType: command.contentType(input as never),
    text: command.run(host, input as never, onProgress),
  };
}

/** The options of a command with a stream, checked as for `runCommand`. */
export function streamOptions(command: StreamCommand, given: Record<string, unknown>): StreamOptions {
  if (command.input === undefined) return { strict: given['strict'] === true };
  refuseUnfit(command.input, given);
  return { ...given, strict: true };
}

/**
 * Throws `invalidInput` with the name of every wrong field if the input is invalid under the schema, or has a text that no
 * store can keep unchanged.
 */
function refuseUnfit(schema: TObject, input: unknown): void {
  const faults = unfit(schema, input);
  if (faults.length > 0) throw invalidInput({ errors: errorsOf(faults, describe) });
  const unstorable: Faults = new Map();
  collectUnstorableText(input, '', unstorable);
  if (unstorable.size > 0) throw invalidInput({ errors: unstorable });
}

function describe(fault: SchemaFault): readonly [field: string, message: string] {
  if (fault.kind === 'invalid') return [fault.path.join('.') || 'input', fault.message];
  const field = [...fault.path, fault.property].join('.');
  return [field, fault.kind === 'missing' ? 'is required' : 'is not an option of this command'];
}
