import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Special-purpose addresses that the operator allows. */
export type AllowedCidrs = readonly (readonly [Address, number])[];

/** `exception`: allowed only by a CIDR of the operator. */
export type AddressVerdict = 'public' | 'exception' | 'refused';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const IPV4_OCTETS = 4;

/** Comma-separated CIDRs; null if one of them is invalid, or has bits beyond its prefix. */
export function readCidrs(text: string): AllowedCidrs | null {
  const written = text
    .split(',')
    .map((cidr) => cidr.trim())
    .filter(Boolean);
  const cidrs = written.flatMap((cidr) => {
    if (!ipaddr.isValidCIDR(cidr)) return [];
    const [address, bits] = ipaddr.parseCIDR(cidr);
    const network =
      address.kind() === 'ipv4'
        ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
        : ipaddr.IPv6.networkAddressFromCIDR(cidr);
    return network.toString() === address.toString() ? [[address, bits] as const] : [];
  });
  return cidrs.length === written.length ? cidrs : null;
}

/** SRC-09: whether an address may be connected to. Text that is no address is refused. */
export function judgeAddress(text: string, allowed: AllowedCidrs): AddressVerdict {
  if (!ipaddr.isValid(text)) return 'refused';
  const address = meant(ipaddr.parse(text));
  if (allowed.some((cidr) => isWithin(address, cidr))) return 'exception';
  return isPublic(address) ? 'public' : 'refused';
}

/** The IPv4 address that an IPv6 address leads to: mapped (RFC 4291) or by NAT64 (RFC 6052). */
function meant(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (isWithin(address, NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(-IPV4_OCTETS));
  return address;
}

function isPublic(address: Address): boolean {
  // Outside 2000::/3 no address is public, even if a table of special ranges does not list it.
  if (address.kind() === 'ipv6' && !isWithin(address, GLOBAL_UNICAST)) return false;
  return address.range() === 'unicast';
}

function isWithin(address: Address, [network, bits]: readonly [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
