import { foldAll } from '#kernel/testing/project.js';
import { creditDayKey, creditDays, OLD_HOLDS } from './credit-days.projection.js';

const on = (day: string) => ({ metadata: { workspaceId: '1', recordedAt: `${day}T10:00:00.000Z` } });
const hold = (movementId: number, credits: string, more = {}) => ({
  type: 'CreditsHeld',
  data: {
    movementId,
    key: `k${movementId}`,
    credits,
    product: 'work',
    payer: 'workspace',
    cause: { kind: 'operator' },
    ...more,
  },
});
const end = (type: string, movementId: number, more = {}) => ({
  type,
  data: { movementId, key: `k${movementId}`, ...more },
});
const NEW = { endCarriesAmount: true };

describe('CON-04 the sums of a ledger by day', () => {
  it('adds up granted, taken, expired, held, released and captured credits of a day', () => {
    const documents = foldAll(creditDays, [
      {
        type: 'CreditsGranted',
        data: { movementId: 1, credits: '100', reason: 'opening' },
        ...on('2026-01-05'),
      },
      {
        type: 'CreditsAdjusted',
        data: { movementId: 2, credits: '-7', reason: 'twice' },
        ...on('2026-01-05'),
      },
      { type: 'CreditsAdjusted', data: { movementId: 3, credits: '5', reason: 'back' }, ...on('2026-01-05') },
      { type: 'CreditsWithdrawn', data: { movementId: 4, credits: '3', reason: 'r' }, ...on('2026-01-06') },
      { ...hold(5, '20', NEW), ...on('2026-01-06') },
      { ...end('CreditsCaptured', 5, { credits: '20', payer: 'workspace' }), ...on('2026-01-07') },
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
      { ...hold(5, '20'), ...on('2026-01-05') },
      { ...hold(6, '4'), ...on('2026-01-05') },
      { ...end('CreditsReleased', 5), ...on('2026-01-06') },
      { ...end('CreditsCaptured', 6), ...on('2026-01-06') },
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
    const partner = { payer: 'partner:3' };
    const documents = foldAll(creditDays, [
      { ...hold(5, '20', { ...partner, ...NEW }), ...on('2026-01-05') },
      { ...end('CreditsCaptured', 5, { ...partner, credits: '20' }), ...on('2026-01-05') },
      { ...hold(6, '4', partner), ...on('2026-01-05') },
      { ...end('CreditsReleased', 6), ...on('2026-01-05') },
    ]);
    expect(documents.get(creditDayKey(1, '2026-01-05'))).toEqual(
      expect.objectContaining({ held: '0', captured: '0', released: '0', revision: 3 }),
    );
  });
});
