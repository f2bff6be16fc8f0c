/**
 * Why a request got no whole answer.
 *
 * - `bad-url`: no http or https address, or one with a user or password
 * - `refused-address`: no address of the host may be connected to (SRC-09)
 * - `unreachable`: no such host, no connection, no valid certificate, or the connection broke before the answer
 * - `timeout`: the whole exchange took longer than it may
 * - `too-many-redirects`, `refused-redirect`: the answer leads on where this request does not follow
 * - `too-large`: the body is larger than it may be, sent or unpacked
 * - `cut-off`: the body ended before its end
 * - `bad-encoding`: the body is packed in a way that was not asked for, or cannot be unpacked
 */
export type OutboundFault =
  | 'bad-url'
  | 'refused-address'
  | 'unreachable'
  | 'timeout'
  | 'too-many-redirects'
  | 'refused-redirect'
  | 'too-large'
  | 'cut-off'
  | 'bad-encoding';

/** A request that leaves got no whole answer. The message names no path, query or header of it. */
export class OutboundFailure extends Error {
  constructor(
    readonly fault: OutboundFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OutboundFailure';
  }
}
