import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { foldAll } from '#kernel/testing/project.js';
import { sampleDetection } from '#projections/testing/sample-events.js';
import { detections } from './detections.projection.js';
import { pricesOfSignals } from './signal-prices.js';

type Detected = NonNullable<Parameters<typeof sampleDetection>[0]>;

/** The prices of the detections of these events, and the keys of the charges that were looked up. */
async function pricesOf(charges: ReadonlyMap<string, { readonly credits: string }>, ...changes: Detected[]) {
  const events = changes.map((change) => ({ type: 'SignalDetected', data: sampleDetection(change) }));
  const asked: (readonly string[])[] = [];
  const getMany = (_view: unknown, keys: readonly string[]) => {
    asked.push(keys);
    return Promise.resolve(charges);
  };
  const readModels = { getMany } as unknown as ReadModels;
  const prices = await pricesOfSignals(readModels, [...foldAll(detections, events).values()]);
  return { prices, asked };
}

describe('prices of signals', () => {
  it('SIG-48 come from the signals, without a look-up of charges', async () => {
    const { prices, asked } = await pricesOf(
      new Map(),
      { detectionId: 1, movementId: 5, credits: '12500000' },
      { detectionId: 2, movementId: null },
    );
    expect(prices).toEqual([
      { credits: 12.5, movement_id: 5 },
      { credits: 0, movement_id: null },
    ]);
    expect(asked).toEqual([]);
  });

  it('SIG-48 come from the charges for signals of earlier versions without a price', async () => {
    const { prices, asked } = await pricesOf(
      new Map([['5', { credits: '10000000' }]]),
      { detectionId: 1, movementId: 5 },
      { detectionId: 2, movementId: 6, credits: '2000000' },
      { detectionId: 3, movementId: 5 },
    );
    expect(prices).toEqual([
      { credits: 10, movement_id: 5 },
      { credits: 2, movement_id: 6 },
      { credits: 10, movement_id: 5 },
    ]);
    expect(asked).toEqual([['5']]);
  });

  it('are unavailable while the read model of charges is behind the signal', async () => {
    const behind = pricesOf(new Map(), { detectionId: 1, movementId: 5 });
    await expect(behind).rejects.toBeInstanceOf(StoreUnavailable);
  });
});
