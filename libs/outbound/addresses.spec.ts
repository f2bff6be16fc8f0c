import { judgeAddress, readCidrs, type AllowedCidrs } from './addresses.js';

const cidrs = (text: string): AllowedCidrs => {
  const read = readCidrs(text);
  if (read === null) throw new Error(`no CIDRs: ${text}`);
  return read;
};
const verdicts = (addresses: readonly string[], allowed = ''): Record<string, string> =>
  Object.fromEntries(addresses.map((address) => [address, judgeAddress(address, cidrs(allowed))]));
const all = (addresses: readonly string[], verdict: string): Record<string, string> =>
  Object.fromEntries(addresses.map((address) => [address, verdict]));

/** One address for each row of IANA's registries of special-purpose addresses, and non-unicast addresses. */
const SPECIAL_IPV4 = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.0.170',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.1.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
];
const SPECIAL_IPV6 = [
  '::',
  '::1',
  '::7f00:1',
  '::ffff:0:0:1',
  '64:ff9b:1::1',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:1::1',
  '2001:2::1',
  '2001:3::1',
  '2001:4:112::1',
  '2001:10::1',
  '2001:20::1',
  '2001:30::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2620:4f:8000::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
];

describe('SRC-09 the addresses that a request may connect to', () => {
  it('include public addresses', () => {
    const addresses = [
      '1.1.1.1',
      '172.32.0.1',
      '198.20.0.1',
      '223.255.255.255',
      '2606:4700::1111',
      '2a00::1',
    ];
    expect(verdicts(addresses)).toEqual(all(addresses, 'public'));
  });

  it('exclude special-purpose addresses of IANA', () => {
    expect(verdicts(SPECIAL_IPV4)).toEqual(all(SPECIAL_IPV4, 'refused'));
    expect(verdicts(SPECIAL_IPV6)).toEqual(all(SPECIAL_IPV6, 'refused'));
  });

  it('are judged by the IPv4 address that they embed, IPv4-mapped or by NAT64', () => {
    for (const prefix of ['::ffff:', '64:ff9b::']) {
      const written = SPECIAL_IPV4.map((address) => prefix + address);
      expect(verdicts(written)).toEqual(all(written, 'refused'));
      expect(judgeAddress(`${prefix}1.1.1.1`, [])).toBe('public');
      expect(judgeAddress(`${prefix}127.0.0.1`, cidrs('127.0.0.0/8'))).toBe('exception');
    }
  });

  it('exclude text that is no address', () => {
    const texts = ['', 'localhost', '1.1.1.1.1', '1.1.1.1/32', ':::'];
    expect(verdicts(texts)).toEqual(all(texts, 'refused'));
  });

  it('include those of an exception, and no other', () => {
    const allowed = '127.0.0.0/8, fd00:1::/64';
    expect(verdicts(['127.9.9.9', 'fd00:1::5'], allowed)).toEqual(
      all(['127.9.9.9', 'fd00:1::5'], 'exception'),
    );
    expect(verdicts(['10.0.0.1', 'fd00:2::5', '::1'], allowed)).toEqual(
      all(['10.0.0.1', 'fd00:2::5', '::1'], 'refused'),
    );
  });

  it('take networks as exceptions, never names', () => {
    expect(readCidrs('')).toEqual([]);
    expect(readCidrs('10.0.0.0/8,192.168.7.0/24 , ::1/128')).toHaveLength(3);
    for (const text of [
      'localhost',
      '10.0.0.1',
      '10.0.0.1/8',
      '10.0.0.0/33',
      'fd00::1/64',
      '10.0.0.0/8 ::1/128',
    ])
      expect([text, readCidrs(text)]).toEqual([text, null]);
  });
});
