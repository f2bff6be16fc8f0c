/**
 * Why a request did not get a complete answer.
 *
 * - `bad-url`: no http or https address, or one with a user or password
 * - `refused-address`: connecting to the addresses of the host is not allowed (SRC-09)
 * - `unreachable`: no such host, no connection, no valid certificate, or the connection broke before the answer
 * - `timeout`: the whole exchange exceeded its timeout
 * - `too-many-redirects`, `refused-redirect`: the answer is a redirect that this request does not follow
 * - `too-large`: the body exceeds its limit, compressed or decompressed
 * - `cut-off`: the body is incomplete
 * - `bad-encoding`: the encoding of the body was not requested, or the body cannot be decompressed
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

/** A request did not get a complete answer. The message contains no path, query or header. */
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
