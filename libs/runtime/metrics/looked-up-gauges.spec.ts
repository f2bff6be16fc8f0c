import { Registry } from 'prom-client';
import { collectorsUp, lookedUpGauges } from './looked-up-gauges.js';

describe('gauges that are looked up', () => {
  it('share one read per scrape, and are left out while it fails: no outdated value is reported', async () => {
    const registry = new Registry();
    let looks = 0;
    let isAway = false;
    const look = async (): Promise<number> => {
      looks += 1;
      if (isAway) throw new Error('the store is away');
      return looks;
    };
    const gauge = (name: string) => ({
      name,
      help: name,
      labels: ['of'],
      readings: (found: number) => [[['x'], found] as const],
    });
    collectorsUp(registry, [lookedUpGauges(registry, 'stores', look, [gauge('first'), gauge('second')])]);
    const samples = async (): Promise<readonly string[]> =>
      (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

    expect(await samples()).toEqual([
      'first{of="x"} 1',
      'second{of="x"} 1',
      'collector_up{collector="stores"} 1',
    ]);
    isAway = true;
    expect(await samples()).toEqual(['collector_up{collector="stores"} 0']);
    isAway = false;
    expect(await samples()).toEqual([
      'first{of="x"} 3',
      'second{of="x"} 3',
      'collector_up{collector="stores"} 1',
    ]);
  });
});
