import type { CreditEvent } from '#ledger/domain/credits.events.js';
import { foldAll } from '#kernel/testing/project.js';
import { creditPostings } from './credit-postings.projection.js';

const inLedger = (event: CreditEvent) => ({
  ...event,
  stream: 'credits-5',
  metadata: { recordedAt: '2026-01-05T10:00:00.000Z', workspaceId: '5' },
});
const posting = (movementId: number, credits: string, key?: string, corrects?: number) => ({
  movementId,
  credits,
  reason: 'contract',
  ...(key === undefined ? {} : { key }),
  ...(corrects === undefined ? {} : { corrects }),
});

describe('the credit postings', () => {
  it('OPS-03 OPS-22 keep the reason and key of every grant, withdrawal and adjustment', () => {
    const events: readonly CreditEvent[] = [
      { type: 'CreditsGranted', data: posting(1, '1000', 'march') },
      { type: 'CreditsWithdrawn', data: posting(2, '10') },
      { type: 'CreditsAdjusted', data: posting(3, '-5', 'march', 1) },
    ];
    const rows = foldAll(creditPostings, events.map(inLedger));
    const common = { workspaceId: 5, reason: 'contract', createdAt: '2026-01-05T10:00:00.000Z' };
    expect([...rows.values()]).toEqual([
      { ...common, id: 1, kind: 'grant', key: 'march', credits: '1000', corrects: null, revision: 0 },
      { ...common, id: 2, kind: 'withdrawal', key: null, credits: '-10', corrects: null, revision: 1 },
      { ...common, id: 3, kind: 'adjustment', key: 'march', credits: '-5', corrects: 1, revision: 2 },
    ]);
  });

  it('handle every other entry of a ledger without a document, so that the checkpoint proves completeness', () => {
    const held = { credits: '1', product: 'p', payer: 'workspace', cause: { kind: 'operator' } } as const;
    const others: readonly CreditEvent[] = [
      { type: 'BillingModeSet', data: { billing: 'self' } },
      { type: 'CreditsHeld', data: { movementId: 4, key: 'k', ...held } },
      { type: 'CreditsCaptured', data: { movementId: 4, key: 'k' } },
      { type: 'CreditsReleased', data: { movementId: 4, key: 'k' } },
    ];
    expect(foldAll(creditPostings, others.map(inLedger)).size).toBe(0);
    expect(Object.keys(creditPostings.on)).toEqual(expect.arrayContaining(others.map(({ type }) => type)));
  });

  it('LOT-03 keep the entries in which a lot expired, the last of them and the first hundred before', () => {
    const terms = { priority: 50, promotional: false, expiresAt: '2026-01-05T10:00:00.000Z' };
    const expired = { movementId: 1, credits: '1', expiresAt: terms.expiresAt };
    const endedAfter = (times: number) =>
      foldAll(
        creditPostings,
        [
          { type: 'LotGranted', data: { ...posting(1, '1000'), ...terms } } as const,
          ...Array.from({ length: times }, () => ({ type: 'LotExpired', data: expired }) as const),
        ].map(inLedger),
      ).get('1')?.ended;
    expect(endedAfter(1)).toEqual({ credits: '1', revision: 1 });
    expect(endedAfter(3)).toEqual({ credits: '3', revision: 3, earlier: [1, 2] });
    const many = endedAfter(150);
    expect([many?.credits, many?.revision, many?.earlier?.length, many?.earlier?.at(-1)]).toEqual([
      '150',
      150,
      100,
      100,
    ]);
  });

  it('are used in decisions, so that a parked workspace is refused', () => {
    expect(creditPostings.critical).toBe(true);
  });
});
