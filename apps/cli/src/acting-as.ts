import { Option } from 'commander';
import { userInfo } from 'node:os';
import { assertedOperator } from '#access/operator-directory.js';
import type { ActingOperator } from '#kernel/values/operators.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { WrongUsage } from './options.js';

/** Begins with a letter or digit, because the name is also written to spreadsheets and journals. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@ -]{0,63}$/u;

export const asOption = (): Option =>
  new Option('--as <name>', "name of the caller, shown as the actor of entries; default: the system's user");

/** The name from `--as`, or that of the system's user. Throws `WrongUsage`. */
export function nameOfCaller(as: unknown): string {
  if (typeof as !== 'string') return systemUser();
  if (NAME.test(as)) return as;
  throw new WrongUsage('--as takes a name of letters, digits, spaces and . _ @ -, at most 64');
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run with a uid that no user has.
    return `uid ${process.getuid?.() ?? ''}`.trim();
  }
}

/** The acting operator. Throws `operatorIsRevoked`. */
export const actingAs = (host: OperatorHost, name: string): Promise<ActingOperator> =>
  assertedOperator(host.eventStore, name);
