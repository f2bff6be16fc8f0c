import { foldAll } from '#kernel/testing/project.js';
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
  it('is looked at an hour after a grant, and then when the look says', () => {
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

  it('is looked at no later because of a grant, and again after one that the look may not have seen', () => {
    const granted = entry('CreditsGranted', at('10:00'));
    expect(outlook(granted, entry('LotGranted', at('10:30')))).toMatchObject({ lookAt: at('11:00') });
    const late = [granted, entry('LotGranted', at('11:10')), foreseen(at('11:05'), null)];
    expect(outlook(...late)).toMatchObject({ lookAt: at('12:10') });
  });
});
