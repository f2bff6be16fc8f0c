import { randomUUID } from 'node:crypto';
import type { CommandContext } from '#kernel/decider.js';
import type { JsonObject } from '#kernel/json.js';
import { compileJsonSchema, type SchemaCheck, type SchemaFault } from '#kernel/json-schema.js';
import { invalidInput } from './amounts.js';
import type { OnProgress, OperatorCommand, OperatorHost } from './operator-command.js';

const checks = new WeakMap<OperatorCommand, SchemaCheck>();
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
  let check = checks.get(command);
  if (check === undefined) {
    const schema: JsonObject = JSON.parse(JSON.stringify({ ...command.input, additionalProperties: false }));
    check = compileJsonSchema(schema);
    checks.set(command, check);
  }
  const faults = check(input);
  if (faults.length > 0) {
    const errors = new Map<string, string[]>();
    for (const fault of faults) {
      const { field, message } = describe(fault);
      errors.set(field, [...(errors.get(field) ?? []), message]);
    }
    throw invalidInput({ errors });
  }
  const context: CommandContext = {
    commandId: randomUUID(),
    actor: { kind: 'operator', id: 'operator' },
    workspaceId: null,
    correlationId,
  };
  return command.run(host, input as never, context, onProgress);
}

function describe(fault: SchemaFault): { readonly field: string; readonly message: string } {
  if (fault.kind === 'invalid') return { field: fault.path.join('.') || 'input', message: fault.message };
  const field = [...fault.path, fault.property].join('.');
  return { field, message: fault.kind === 'missing' ? 'is required' : 'is not an option of this command' };
}
