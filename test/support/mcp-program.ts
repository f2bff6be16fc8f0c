import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CLI } from './cli.js';

/** The program that `signal-ledger` runs. */

/** A store that cannot be opened: a program that opens none does not notice. */
export const NO_STORE = { EVENT_STORE_URL: 'sqlite:/nowhere/at/all/events.db' };

/** `signal-ledger mcp` as a client starts it: in an unrelated folder, with only these variables. */
export const overStdio = (
  environment: Record<string, string>,
  ...more: readonly string[]
): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: ['--enable-source-maps', CLI, 'mcp', ...more],
    env: { ...NO_STORE, ...environment },
    stderr: 'pipe',
  });
