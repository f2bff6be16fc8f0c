import { randomUUID } from 'node:crypto';
import { parseCredits, type Credits } from '#kernel/values/credits.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { JsonObject } from '#kernel/values/json.js';
import { compileJsonSchema, type SchemaCheck, type SchemaFault } from '#kernel/values/json-schema.js';
import { invalidInput } from './amounts.js';
import type { TObject } from '#kernel/values/schema.js';
import type { ExportCommand, OperatorCommand, OperatorHost } from './operator-command.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';

const checks = new WeakMap<TObject, SchemaCheck>();
const quiet: OnProgress = () => undefined;

/**
 * Runs an operator command on input of any origin: checks it against the command's schema first and refuses
 * what does not fit, naming every field. Unknown fields are refused too: a misspelt option must not be ignored.
 */
export function runCommand(
  host: OperatorHost,
  command: OperatorCommand,
  input: unknown,
  correlationId: string,
  onProgress: OnProgress = quiet,
): Promise<unknown> {
  refuseUnfit(command.input, input);
  const context: CommandContext = {
    commandId: randomUUID(),
    actor: { kind: 'operator', id: 'operator' },
    workspaceId: null,
    correlationId,
  };
  return command.run(host, input as never, context, onProgress);
}

/**
 * What a call of a command of the ledger has charged, by its input and its answer, and what it left; null for another
 * command.
 */
export function creditsTold(
  command: OperatorCommand,
  input: unknown,
  output: unknown,
): { readonly charged: Credits; readonly remaining: Credits } | null {
  if (command.charge === undefined || !hasMembers(output) || !hasMembers(output['balance'])) return null;
  const { balance, replayed, movement_id } = output;
  const remaining = parseCredits(balance['balance']);
  if (remaining === null) return null;
  // Nobody pays for an exempt workspace, and a repetition is not paid again.
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
  onProgress: OnProgress = quiet,
): { readonly contentType: string; readonly text: Promise<AsyncIterable<string>> } {
  refuseUnfit(command.input, input);
  return {
    contentType: command.contentType(input as never),
    text: command.run(host, input as never, onProgress),
  };
}

/** Throws `invalidInput`, naming every field, where input is not what the schema says. */
function refuseUnfit(schema: TObject, input: unknown): void {
  let check = checks.get(schema);
  if (check === undefined) {
    const plain: JsonObject = JSON.parse(JSON.stringify({ ...schema, additionalProperties: false }));
    check = compileJsonSchema(plain);
    checks.set(schema, check);
  }
  const faults = check(input);
  if (faults.length === 0) return;
  const errors = new Map<string, string[]>();
  for (const fault of faults) {
    const { field, message } = describe(fault);
    errors.set(field, [...(errors.get(field) ?? []), message]);
  }
  throw invalidInput({ errors });
}

function describe(fault: SchemaFault): { readonly field: string; readonly message: string } {
  if (fault.kind === 'invalid') return { field: fault.path.join('.') || 'input', message: fault.message };
  const field = [...fault.path, fault.property].join('.');
  return { field, message: fault.kind === 'missing' ? 'is required' : 'is not an option of this command' };
}
