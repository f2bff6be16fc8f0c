import { BlockList, isIP, isIPv6 } from 'node:net';

/** A range of addresses: `10.0.0.0/8`, or one address alone. */
type AddressRange = { readonly address: string; readonly bits: number; readonly family: 'ipv4' | 'ipv6' };

const RANGE = /^([^/]+)(?:\/(\d{1,3}))?$/;

/** Reads a CIDR (RFC 4632, RFC 4291) or one address; null for anything else. */
export function readAddressRange(text: string): AddressRange | null {
  const [, address = '', length] = RANGE.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return null;
  const longest = version === 4 ? 32 : 128;
  const bits = length === undefined ? longest : Number(length);
  return bits > longest ? null : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Whether an address is in one of these ranges. Throws for a text that is no range. */
export function addressesIn(ranges: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const text of ranges) {
    const range = readAddressRange(text);
    if (range === null) throw new Error(`not a range of addresses: ${text}`);
    list.addSubnet(range.address, range.bits, range.family);
  }
  return (address = '') => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

const WITH_PORT = /^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS_OF_A_CLIENT = 4;

/**
 * The address under which a client is counted: an IPv4 address without the port that some proxies add; of an IPv6
 * address the first 64 bits, which a provider assigns to one customer (RFC 6177).
 */
export function countedAddress(text: string): string {
  const [, bracketed, plain] = WITH_PORT.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(address) ? `${networkOf(address)}::/64` : address;
}

/** The first 64 bits of an IPv6 address, always spelt the same. */
function networkOf(address: string): string {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const hasGap = tail !== undefined;
  // An IPv4 address at the end takes two groups.
  const groupsOfLast = last.length + (last.at(-1)?.includes('.') === true ? 1 : 0);
  const zeros = hasGap ? Array.from({ length: 8 - first.length - groupsOfLast }, () => '0') : [];
  return [...first, ...zeros, ...last]
    .slice(0, GROUPS_OF_A_CLIENT)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
