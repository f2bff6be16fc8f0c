import { readCidrs } from './addresses.js';
import { urlFault } from './url-fault.js';

const allowing = (cidrs: string) => (url: string) => urlFault(url, readCidrs(cidrs) ?? []);

describe('SRC-09 an address that a caller names', () => {
  it('is https to a name or a public address', () => {
    const fault = allowing('');
    for (const url of ['https://hooks.example.test/a?b=c', 'https://8.8.8.8/hook', 'https://[2606:4700::1]/'])
      expect([url, fault(url)]).toEqual([url, null]);
  });

  it('is no other scheme, has no user, and is no special-purpose address in any notation', () => {
    const fault = allowing('');
    const wrong = [
      'ftp://a.example',
      'hooks.example.test',
      'https://me:secret@a.example',
      'http://a.example',
      '',
    ];
    const inside = [
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
    ];
    for (const url of [...wrong, ...inside]) expect([url, fault(url)]).toEqual([url, expect.any(String)]);
  });

  it('may be http and special-purpose if the operator allows the network', () => {
    const fault = allowing('127.0.0.0/8');
    expect([
      fault('http://127.0.0.1:9/x'),
      fault('https://127.0.0.1/'),
      fault('http://inside.example'),
    ]).toEqual([null, null, null]);
    expect(fault('http://8.8.8.8/')).toBe('must be an https address');
    expect(fault('https://10.0.0.1/')).toBe('must not be a special-purpose address');
  });
});
