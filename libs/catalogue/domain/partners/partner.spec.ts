import { rulesOf } from '#kernel/testing/scenario.js';
import { createPartner, partner, setPartnerRate, unknownPartner } from './partner.js';

const deciding = rulesOf(partner);
const created = {
  type: 'PartnerCreated',
  data: { partnerId: 2, name: 'Nordic Resellers', createdAt: '2026-01-05T10:00:00.000Z' },
} as const;
const rated = (credits: string | null) =>
  ({ type: 'PartnerRateSet', data: { partnerId: 2, item: 'launch', credits } }) as const;

describe('a partner (OPS-07)', () => {
  it('is created', () => {
    deciding([], createPartner(created.data)).then([created]);
  });

  it('negotiates rates and withdraws them, each recorded once', () => {
    const nine = setPartnerRate({ item: 'launch', credits: '9000000' });
    const none = setPartnerRate({ item: 'launch', credits: null });
    deciding([created], nine).then([rated('9000000')]);
    deciding([created, rated('9000000')], nine).then([]);
    deciding([created, rated('9000000')], none).then([rated(null)]);
    deciding([created], none).then([]);
  });

  it('has no rates before it exists', () => {
    deciding([], setPartnerRate({ item: 'launch', credits: '1' })).then(unknownPartner());
  });
});
