import { given } from '#kernel/testing/scenario.js';
import { createPartner, partner, setPartnerRate, unknownPartner } from './partner.js';

const created = {
  type: 'PartnerCreated',
  data: { partnerId: 2, name: 'Nordic Resellers', createdAt: '2026-01-05T10:00:00.000Z' },
} as const;
const rated = (credits: string | null) =>
  ({ type: 'PartnerRateSet', data: { partnerId: 2, item: 'launch', credits } }) as const;

describe('a partner (OPS-07)', () => {
  it('is created', () => {
    given(partner, []).when(createPartner(created.data)).then([created]);
  });

  it('negotiates rates and withdraws them, each recorded once', () => {
    const nine = setPartnerRate({ item: 'launch', credits: '9000000' });
    const none = setPartnerRate({ item: 'launch', credits: null });
    given(partner, [created])
      .when(nine)
      .then([rated('9000000')]);
    given(partner, [created, rated('9000000')])
      .when(nine)
      .then([]);
    given(partner, [created, rated('9000000')])
      .when(none)
      .then([rated(null)]);
    given(partner, [created]).when(none).then([]);
  });

  it('has no rates before it exists', () => {
    given(partner, [])
      .when(setPartnerRate({ item: 'launch', credits: '1' }))
      .then(unknownPartner());
  });
});
