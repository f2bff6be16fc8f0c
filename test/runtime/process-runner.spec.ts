import { nothingCovered } from '#detection/coverage.port.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { createProcessRunner } from '#processes/process-runner.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { openLedgerHost } from '../ops/ledger-host.js';

describe('the process runner', () => {
  it('OPS-18 does not say that all work is done while the read models are behind', async () => {
    const house = await openLedgerHost();
    const runner = createProcessRunner({
      host: {
        ...house,
        network: house.network.source,
        directory: house.network.directory,
        coverage: nothingCovered,
        startedAt: new Date(0),
        isParked: async () => false,
      },
      processes: [],
      leases: house.readStore,
      holder: 'here:0:test',
      readModelsSettled: async () => false,
      onError: () => undefined,
    });
    const error: unknown = await runner.drain().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreUnavailable);
    await runner.stop();
    await house.close();
  });

  it('forgets an item that waited and is not due any more', async () => {
    const house = await openLedgerHost();
    let now = 1_000_000;
    let isDue = true;
    const limits: number[] = [];
    const runner = createProcessRunner({
      host: {
        ...house,
        network: house.network.source,
        directory: house.network.directory,
        coverage: nothingCovered,
        startedAt: new Date(0),
        isParked: async () => false,
      },
      processes: [
        {
          name: 'wait-for-ever',
          due: async (_host, _now, limit) => {
            limits.push(limit);
            return isDue ? ['item'] : [];
          },
          key: () => 'item',
          waits: async () => true,
          act: async () => undefined,
        },
      ],
      leases: house.readStore,
      holder: 'here:0:test',
      readModelsSettled: async () => true,
      onError: () => undefined,
      nowMs: () => now,
    });
    runner.start();
    await eventually(() => limits.at(-1) === 9);
    isDue = false;
    now += 3_600_000;
    await eventually(() => limits.at(-1) === 8);
    await runner.stop();
    await house.close();
  });
});
