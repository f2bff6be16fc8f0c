import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { OutboundFailure } from './outbound-failure.js';

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * A `lookup` for sockets that returns only allowed addresses. The socket connects to a checked address: there is no
 * second look-up in which the name could resolve to another address (SRC-09).
 */
export function checkedLookup(resolve: Resolve, mayConnect: (address: string) => boolean): LookupFunction {
  return (hostname, { all, family }, callback) => {
    const answer = (found: readonly LookupAddress[]): void => {
      const [first] = found;
      if (first === undefined) callback(refusedHost(hostname), '');
      else if (all === true) callback(null, [...found]);
      else callback(null, first.address, first.family);
    };
    resolve(hostname).then(
      (addresses) =>
        answer(addresses.filter((found) => isOfFamily(found, family) && mayConnect(found.address))),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ''),
    );
  };
}

function isOfFamily(found: LookupAddress, family: number | string | undefined): boolean {
  if (family === 4 || family === 'IPv4') return found.family === 4;
  return family === 6 || family === 'IPv6' ? found.family === 6 : true;
}

export function refusedHost(host: string): OutboundFailure {
  return new OutboundFailure('refused-address', `${host} has no address to which the service may connect`);
}
