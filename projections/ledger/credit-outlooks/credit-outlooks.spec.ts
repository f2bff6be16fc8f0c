import { foldInto } from '#kernel/projections/projection.js';
import { foldAll, recordedInOrder } from '#kernel/testing/project.js';
import { creditOutlooks } from './credit-outlooks.projection.js';

const at = (time: string): string => `2026-01-05T${time}:00.000Z`;
const entry = (type: string, recordedAt: string, data: object = {}) => ({
  type,
  data,
  metadata: { workspaceId: '1', recordedAt },
});
const foreseen = (begunAt: string, lookAt: string | null, endsOn: string | null = null) =>
  entry('CreditsForeseen', begunAt, { at: begunAt, balance: '1', burn: '0', endsOn, lookAt });
const outlook = (...events: readonly ReturnType<typeof entry>[]) => foldAll(creditOutlooks, events).get('1');

describe('LOW-01 LOW-02 how long a balance lasts', () => {
  it('is forecast an hour after a grant, and then at the time that the forecast sets', () => {
    const granted = entry('CreditsGranted', at('10:00'));
    expect(outlook(granted)).toEqual({
      workspaceId: 1,
      foreseenAt: null,
      endsOn: null,
      lookAt: at('11:00'),
      changedAt: at('10:00'),
    });
    expect(outlook(granted, foreseen(at('11:00'), at('12:00'), '2026-02-01'))).toMatchObject({
      foreseenAt: at('11:00'),
      endsOn: '2026-02-01',
      lookAt: at('12:00'),
    });
    expect(outlook(granted, foreseen(at('11:00'), null))).toMatchObject({ endsOn: null, lookAt: null });
  });

  it('is not forecast later because of a grant, and again after a grant that the forecast may have missed', () => {
    const granted = entry('CreditsGranted', at('10:00'));
    expect(outlook(granted, entry('LotGranted', at('10:30')))).toMatchObject({ lookAt: at('11:00') });
    const late = [granted, entry('LotGranted', at('11:10')), foreseen(at('11:05'), null)];
    expect(outlook(...late)).toMatchObject({ lookAt: at('12:10') });
  });

  describe('LOW-01 after an entry that changes the balance', () => {
    const DAILY = '2026-01-06T00:15:00.000Z';
    const quiet = [entry('CreditsGranted', at('10:00')), foreseen(at('11:00'), DAILY)];
    const lookAtAfter = (...events: readonly ReturnType<typeof entry>[]) =>
      outlook(...quiet, ...events)?.lookAt;

    it('is forecast within an hour, and not later because of further entries', () => {
      const types = ['CreditsHeld', 'CreditsCaptured', 'CreditsReleased', 'CreditsWithdrawn', 'LotExpired'];
      for (const type of types)
        expect([type, lookAtAfter(entry(type, at('12:00')))]).toEqual([type, at('13:00')]);
      const held = entry('CreditsHeld', at('12:00'));
      expect(lookAtAfter(held, entry('CreditsCaptured', at('12:59')))).toBe(at('13:00'));
      // The daily forecast is sooner.
      expect(lookAtAfter(entry('CreditsHeld', at('23:30')))).toBe(DAILY);
    });

    it('is forecast within an hour after an opening was reversed, also if no forecast was due', () => {
      const reversed = entry('OpeningReversed', at('12:00'));
      expect(lookAtAfter(reversed)).toBe(at('13:00'));
      expect(lookAtAfter(foreseen(at('11:30'), null), reversed)).toBe(at('13:00'));
    });

    it('writes one document for all use before the forecast', () => {
      const held = [...quiet, entry('CreditsHeld', at('12:00'))];
      const before = outlook(...held) ?? null;
      for (const captured of recordedInOrder([entry('CreditsCaptured', at('12:30'))]))
        expect(foldInto(creditOutlooks, before, captured, '1')).toBe(before);
    });

    it('is forecast again if the forecast that was due may have missed the entry', () => {
      const held = entry('CreditsHeld', at('12:00'));
      const during = entry('CreditsCaptured', at('13:05'));
      expect(lookAtAfter(held, during, foreseen(at('13:04'), DAILY))).toBe(at('14:05'));
      expect(lookAtAfter(held, during, foreseen(at('13:05'), DAILY))).toBe(at('14:05'));
      expect(lookAtAfter(held, during, foreseen(at('13:06'), DAILY))).toBe(DAILY);
      const atOnce = entry('CreditsCaptured', at('13:00'));
      expect(lookAtAfter(held, atOnce, foreseen(at('13:00'), DAILY))).toBe(at('14:00'));
    });

    it('ignores credits that a partner pays, and a workspace without a due forecast, except for a release', () => {
      expect(lookAtAfter(entry('CreditsHeld', at('12:00'), { payer: 'partner:3' }))).toBe(DAILY);
      const empty = foreseen(at('11:30'), null);
      expect(lookAtAfter(empty, entry('CreditsCaptured', at('12:00')))).toBeNull();
      expect(lookAtAfter(empty, entry('CreditsReleased', at('12:00'), { payer: 'workspace' }))).toBe(
        at('13:00'),
      );
    });
  });
});
