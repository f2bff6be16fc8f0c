import type { Clock } from '#kernel/ports/clock.js';
import type { Cursors } from '#http/cursors.js';
import type { Dispatch } from '#http/dispatch.js';
import type { Logger } from '#http/log.js';

/** What the host supplies for the MCP endpoint. */
export type McpParts = {
  readonly dispatch: Dispatch;
  /** Seals the state between a question and its answer. */
  readonly cursors: Cursors;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Version of the product. */
  readonly version: string;
  /** Origins whose pages may call. */
  readonly origins: readonly string[];
};
