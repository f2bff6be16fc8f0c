import { foldAll } from '#kernel/testing/project.js';
import { sampleLeadFacts } from '#projections/testing/sample-events.js';
import { leadKey, leads } from './leads.projection.js';

const registered = {
  type: 'LeadRegistered',
  data: { leadId: 77, identity: 'handle:ana-roy', rev: 3, facts: sampleLeadFacts(), companyId: 9 },
};
const updated = (rev: number) => ({
  type: 'LeadUpdated',
  data: { leadId: 77, rev, facts: sampleLeadFacts({ position: 'CRO' }), companyId: 10 },
});

describe('the leads read model', () => {
  it('shows the facts copied when the lead was registered', () => {
    expect(foldAll(leads, [registered]).get(leadKey(77))).toEqual({
      id: 77,
      workspaceId: 1,
      companyId: 9,
      rev: 3,
      facts: sampleLeadFacts(),
    });
  });

  it('takes the facts and the company of a newer revision, and nothing of an older one', () => {
    const newer = foldAll(leads, [registered, updated(4)]).get(leadKey(77));
    expect(newer).toMatchObject({ rev: 4, companyId: 10, facts: { position: 'CRO' } });
    const older = foldAll(leads, [registered, updated(2)]).get(leadKey(77));
    expect(older).toMatchObject({ rev: 3, companyId: 9, facts: { position: 'VP Sales' } });
  });
});
