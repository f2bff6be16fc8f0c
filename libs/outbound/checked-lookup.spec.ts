import { checkedLookup } from './checked-lookup.js';

describe('SRC-09 the look-up of a socket', () => {
  const found = [
    { address: '10.0.0.1', family: 4 },
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1111', family: 6 },
    { address: '::1', family: 6 },
  ];
  const lookUp = (options: Parameters<ReturnType<typeof checkedLookup>>[1], resolve = async () => found) =>
    new Promise((settle) => {
      const mayConnect = (address: string): boolean => address === '1.1.1.1' || address.startsWith('2606:');
      checkedLookup(resolve, mayConnect)('board.example.test', options, (error, address, family) =>
        settle(error ?? (family === undefined ? address : [address, family])),
      );
    });

  it('answers with allowed addresses alone, of the requested family', async () => {
    expect(await lookUp({ all: true })).toEqual(found.slice(1, 3));
    expect(await lookUp({})).toEqual(['1.1.1.1', 4]);
    expect(await lookUp({ family: 6 })).toEqual(['2606:4700::1111', 6]);
    expect(await lookUp({ all: true, family: 'IPv4' })).toEqual([found[1]]);
  });

  it('fails if no address is allowed, or if the name has none', async () => {
    for (const resolve of [async () => [{ address: '10.0.0.1', family: 4 }], async () => []])
      expect(await lookUp({}, resolve)).toMatchObject({ fault: 'refused-address' });
    expect(await lookUp({}, () => Promise.reject(new Error('no such host')))).toEqual(
      new Error('no such host'),
    );
  });
});
