import { foldAll } from '#kernel/testing/project.js';
import { partnerKey, partners } from './partners.projection.js';

const metadata = {};
const created = {
  type: 'PartnerCreated',
  data: { partnerId: 2, name: 'Nordic Resellers', createdAt: '2026-01-05T10:00:00.000Z' },
  metadata,
};
const rated = (item: string, credits: string | null) => ({
  type: 'PartnerRateSet',
  data: { partnerId: 2, item, credits },
  metadata,
});

describe('the partners read model', () => {
  it('keeps the last rate of each item and forgets a withdrawn one', () => {
    const events = [created, rated('launch', '500000'), rated('profile', '1'), rated('launch', '400000')];
    expect(foldAll(partners, [...events, rated('profile', null)]).get(partnerKey(2))).toEqual({
      id: 2,
      name: 'Nordic Resellers',
      rates: { launch: '400000' },
    });
  });
});
