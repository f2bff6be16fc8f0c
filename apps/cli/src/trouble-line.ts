import { LeaseLost } from '#kernel/ports/read-store.port.js';
import { printable } from './printable.js';

/**
 * The line about an error of the work besides a command; null if a person need not know of it. A process that was stopped
 * for some seconds loses its leases: another one goes on with that work, and the command ends as usual.
 */
export function troubleLine(what: string, error: unknown): string | null {
  if (error === null || error instanceof LeaseLost) return null;
  return printable(`${what}: ${error instanceof Error ? error.message : String(error)}`);
}
