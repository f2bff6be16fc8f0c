import { addressesIn, countedAddress, readAddressRange } from './client-addresses.js';

describe('a range of addresses', () => {
  it('contains the addresses of its network, including IPv4-mapped IPv6 addresses', () => {
    const isIn = addressesIn(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);
    for (const address of ['10.0.0.1', '10.255.3.4', '192.0.2.7', 'fd12::9', '::ffff:10.1.2.3']) {
      expect([address, isIn(address)]).toEqual([address, true]);
    }
    for (const address of ['11.0.0.1', '192.0.2.8', 'fe80::1', '::ffff:11.1.2.3', '10.0.0.1:80', 'x', '']) {
      expect([address, isIn(address)]).toEqual([address, false]);
    }
    expect(isIn(undefined)).toBe(false);
  });

  it('is an address with or without a prefix length', () => {
    expect(readAddressRange('10.0.0.0/8')).toEqual({ address: '10.0.0.0', bits: 8, family: 'ipv4' });
    expect(readAddressRange('::1')).toEqual({ address: '::1', bits: 128, family: 'ipv6' });
    for (const text of ['', '10.0.0.0/', '10.0.0.0/33', '::/129', '10/8', 'host', '1.2.3.4/8/8', ' 1.2.3.4'])
      expect([text, readAddressRange(text)]).toEqual([text, null]);
    expect(() => addressesIn(['host'])).toThrow('host');
  });
});

describe('OP-74 the address under which a client is counted', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:4711', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::7', '2001:db8:1:2::/64'],
    ['[2001:0db8:0001:0002::9]:443', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s is %s', (address, counted) => expect(countedAddress(address)).toBe(counted));
});
