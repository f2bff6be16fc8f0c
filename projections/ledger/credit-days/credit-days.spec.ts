import { foldAll } from '#kernel/testing/project.js';
import {
  adjustmentOf,
  endedEarlier,
  grantOf,
  heldEarlier,
  withdrawalOf,
} from '#ledger/testing/sample-entries.js';
import { creditDayKey, creditDays, OLD_HOLDS } from './credit-days.projection.js';

const on = (day: string) => ({ metadata: { workspaceId: '1', recordedAt: `${day}T10:00:00.000Z` } });
const NEW = { endCarriesAmount: true } as const;

describe('CON-04 the sums of a ledger by day', () => {
  it('adds up granted, taken, expired, held, released and captured credits of a day', () => {
    const documents = foldAll(creditDays, [
      { ...grantOf(1, '100'), ...on('2026-01-05') },
      { ...adjustmentOf(2, '-7'), ...on('2026-01-05') },
      { ...adjustmentOf(3, '5'), ...on('2026-01-05') },
      { ...withdrawalOf(4, '3'), ...on('2026-01-06') },
      { ...heldEarlier(5, '20', NEW), ...on('2026-01-06') },
      { ...endedEarlier('CreditsCaptured', 5, { credits: '20', payer: 'workspace' }), ...on('2026-01-07') },
      {
        type: 'LotExpired',
        data: { movementId: 1, credits: '9', expiresAt: '2026-01-07T10:00:00.000Z' },
        ...on('2026-01-07'),
      },
    ]);
    const none = { granted: '0', taken: '0', expired: '0', held: '0', released: '0', captured: '0' };
    expect([...documents.values()]).toEqual([
      { ...none, workspaceId: 1, day: '2026-01-05', granted: '105', taken: '7', revision: 2 },
      { ...none, workspaceId: 1, day: '2026-01-06', taken: '3', held: '20', revision: 4 },
      { ...none, workspaceId: 1, day: '2026-01-07', captured: '20', expired: '9', revision: 6 },
    ]);
  });

  it('takes the amount of an end of version 1 from its hold, and adds it to the day of the end', () => {
    const documents = foldAll(creditDays, [
      { ...heldEarlier(5, '20'), ...on('2026-01-05') },
      { ...heldEarlier(6, '4'), ...on('2026-01-05') },
      { ...endedEarlier('CreditsReleased', 5), ...on('2026-01-06') },
      { ...endedEarlier('CreditsCaptured', 6), ...on('2026-01-06') },
    ]);
    expect(documents.get(creditDayKey(1, OLD_HOLDS))).toEqual(
      expect.objectContaining({
        openHolds: {},
        ends: { '2026-01-06': { released: '20', captured: '4' } },
      }),
    );
    expect(documents.get(creditDayKey(1, '2026-01-06'))).toEqual(
      expect.objectContaining({ released: '0', captured: '0', revision: 3 }),
    );
  });

  it('leaves out credits that a partner pays', () => {
    const partner = { payer: 'partner:3' } as const;
    const documents = foldAll(creditDays, [
      { ...heldEarlier(5, '20', { ...partner, ...NEW }), ...on('2026-01-05') },
      { ...endedEarlier('CreditsCaptured', 5, { ...partner, credits: '20' }), ...on('2026-01-05') },
      { ...heldEarlier(6, '4', partner), ...on('2026-01-05') },
      { ...endedEarlier('CreditsReleased', 6), ...on('2026-01-05') },
    ]);
    expect(documents.get(creditDayKey(1, '2026-01-05'))).toEqual(
      expect.objectContaining({ held: '0', captured: '0', released: '0', revision: 3 }),
    );
  });
});
