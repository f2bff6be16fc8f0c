import type { CreditEvent } from '#ledger/domain/credits.events.js';
import { foldAll } from '#kernel/testing/project.js';
import { creditMovements } from './credit-movements.projection.js';

const held = (movementId: number): CreditEvent => ({
  type: 'CreditsHeld',
  data: {
    movementId,
    key: `launch:91:post:${movementId}`,
    credits: '12345678',
    product: 'discovery_custom',
    payer: 'partner:7',
    cause: { kind: 'signal', launchId: 91, runId: 120, setupId: 12, subject: `post:${movementId}` },
  },
});
const inLedger = (event: CreditEvent, minute: number) => ({
  ...event,
  stream: 'credits-5',
  metadata: { recordedAt: `2026-01-05T10:0${minute}:00.000Z`, workspaceId: '5' },
});

describe('the credit movements', () => {
  it('USE-02 USE-03 show a hold with its exact amount, its payer and its cause', () => {
    expect(foldAll(creditMovements, [inLedger(held(41), 0)]).get('41')).toEqual({
      id: 41,
      workspaceId: 5,
      createdAt: '2026-01-05T10:00:00.000Z',
      status: 'held',
      openKind: 'signal',
      endedAt: null,
      endReason: null,
      product: 'discovery_custom',
      credits: '12345678',
      payer: 'partner:7',
      key: 'launch:91:post:41',
      causeKind: 'signal',
      launchId: 91,
      runId: 120,
      shownRunId: 120,
      setupId: 12,
      agentId: null,
      subject: 'post:41',
      requestId: null,
      companyId: null,
      personaId: null,
      month: null,
      heldRevision: 0,
      endedRevision: null,
    });
  });

  it('USE-22 keep id and created_at when the status changes, one row per movement', () => {
    const rows = foldAll(creditMovements, [
      inLedger(held(41), 0),
      inLedger(held(42), 1),
      inLedger({ type: 'CreditsCaptured', data: { movementId: 41, key: 'launch:91:post:41' } }, 2),
      inLedger(
        { type: 'CreditsReleased', data: { movementId: 42, key: 'launch:91:post:42', reason: 'expired' } },
        3,
      ),
    ]);
    expect(
      [...rows.values()].map(({ id, createdAt, status, endedAt, endReason }) => [
        id,
        createdAt,
        status,
        endedAt,
        endReason,
      ]),
    ).toEqual([
      [41, '2026-01-05T10:00:00.000Z', 'captured', '2026-01-05T10:02:00.000Z', null],
      [42, '2026-01-05T10:01:00.000Z', 'released', '2026-01-05T10:03:00.000Z', 'expired'],
    ]);
  });

  it('OP-64 are in the index of open holds until they end', () => {
    const end = { movementId: 41, key: 'launch:91:post:41' };
    for (const type of ['CreditsCaptured', 'CreditsReleased'] as const) {
      const rows = foldAll(creditMovements, [
        inLedger(held(41), 0),
        inLedger(held(42), 1),
        inLedger({ type, data: end }, 2),
      ]);
      expect([...rows.values()].map(({ openKind, causeKind }) => [openKind, causeKind])).toEqual([
        [null, 'signal'],
        ['signal', 'signal'],
      ]);
    }
  });

  it('name their ledger entries', () => {
    const rows = foldAll(creditMovements, [
      inLedger(held(41), 0),
      { ...inLedger({ type: 'CreditsCaptured', data: { movementId: 41, key: 'launch:91:post:41' } }, 1) },
    ]);
    expect([...rows.values()]).toEqual([
      expect.objectContaining({ id: 41, heldRevision: 0, endedRevision: 1, status: 'captured' }),
    ]);
  });

  it('have no rows for grants, withdrawals and adjustments', () => {
    const posting = { movementId: 1, credits: '5000000', reason: '' };
    const events: readonly CreditEvent[] = [
      { type: 'BillingModeSet', data: { billing: 'self' } },
      { type: 'CreditsGranted', data: posting },
      { type: 'CreditsWithdrawn', data: posting },
      { type: 'CreditsAdjusted', data: posting },
    ];
    expect(
      foldAll(
        creditMovements,
        events.map((event) => inLedger(event, 0)),
      ).size,
    ).toBe(0);
  });

  it('stop at an end without a hold', () => {
    const captured = inLedger({ type: 'CreditsCaptured', data: { movementId: 41, key: 'k' } }, 0);
    expect(() => foldAll(creditMovements, [captured])).toThrow('movement 41 ended without a hold');
  });
});
