import type { CreditEvent } from '#ledger/domain/credits.events.js';
import { foldAll } from '#kernel/testing/project.js';
import { recurringGrants } from './recurring-grants.projection.js';

const inLedger = (event: CreditEvent) => ({
  ...event,
  stream: 'credits-5',
  metadata: { recordedAt: '2026-01-05T10:00:00.000Z', workspaceId: '5' },
});
const day = (date: string): string => `2026-${date}T00:00:00.000Z`;
const terms = { credits: '10', reason: 'allowance', priority: 50, promotional: false } as const;
const added: CreditEvent = {
  type: 'RecurringGrantAdded',
  data: { ...terms, rule: 1, every: 'day', from: day('01-10'), until: day('01-12') },
};
const given = (movementId: number, due: string, credits: string): CreditEvent => ({
  type: 'LotGranted',
  data: { ...terms, movementId, credits, recurring: { rule: 1, due } },
});
const folded = (...events: readonly CreditEvent[]) =>
  foldAll(recurringGrants, events.map(inLedger)).get('5_1');

describe('the recurring grants', () => {
  it('LOT-08 show the next due time, the credits given and the skipped grants', () => {
    expect(folded(added)).toMatchObject({ ruleId: 1, nextDue: day('01-10'), grants: 0, given: '0' });
    const skip: CreditEvent = {
      type: 'RecurringGrantSkipped',
      data: { rule: 1, due: day('01-10'), why: 'over' },
    };
    expect(folded(added, skip)).toMatchObject({
      nextDue: day('01-11'),
      grants: 0,
      skips: 1,
      skipped: [{ due: day('01-10'), why: 'over' }],
    });
    expect(folded(added, skip, given(7, day('01-11'), '4'))).toMatchObject({
      nextDue: null,
      stoppedAt: null,
      grants: 1,
      given: '4',
    });
  });

  it('LOT-08 list the newest fifty skipped grants and count them all', () => {
    const long: CreditEvent = {
      type: 'RecurringGrantAdded',
      data: { ...terms, rule: 1, every: 'day', from: day('01-10') },
    };
    const skips = Array.from({ length: 60 }, (_, index): CreditEvent => ({
      type: 'RecurringGrantSkipped',
      data: {
        rule: 1,
        due: new Date(Date.parse(day('01-10')) + index * 86_400_000).toISOString(),
        why: 'over',
      },
    }));
    const grant = folded(long, ...skips);
    expect([grant?.skips, grant?.skipped.length, grant?.skipped[0]?.due]).toEqual([60, 50, day('01-20')]);
  });

  it('LOT-08 are never due after a stop, and do not include grants of operators', () => {
    const stop: CreditEvent = { type: 'RecurringGrantStopped', data: { rule: 1 } };
    expect(folded(added, stop)).toMatchObject({ nextDue: null, stoppedAt: '2026-01-05T10:00:00.000Z' });
    const other: CreditEvent = { type: 'LotGranted', data: { ...terms, movementId: 3 } };
    expect(folded(other)).toBeUndefined();
  });
});
