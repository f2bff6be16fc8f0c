import { foldAll } from '#kernel/testing/project.js';
import { sampleDetection } from '#projections/testing/sample-events.js';
import { surfacedLeadKey, surfacedLeads } from './surfaced-leads.projection.js';

const commented = (detection: Parameters<typeof sampleDetection>[0]) => ({
  type: 'SignalDetected',
  data: sampleDetection({ signalType: 'networkComment', ...detection }),
});
const { agentId: _agent, ...anonymous } = sampleDetection({ signalType: 'leadLikedOwnContent' });

describe('the leads that an agent has surfaced', () => {
  it('D-44 are stored by agent, each with the launch that surfaced it first, for any type of signal', () => {
    const events = [
      commented({ agentId: 7, leadId: 77, launchId: 3 }),
      commented({ agentId: 7, leadId: 77, launchId: 4, signalType: 'competitorInboundComment' }),
      commented({ agentId: 7, leadId: 78, launchId: 4, signalType: 'competitorOutboundComment' }),
      commented({ agentId: 8, leadId: 77, launchId: 5, signalType: 'leadLikedCompetitorContent' }),
    ];
    expect(foldAll(surfacedLeads, events)).toEqual(
      new Map([
        [surfacedLeadKey(1, 7, 77), { launchId: 3 }],
        [surfacedLeadKey(1, 7, 78), { launchId: 4 }],
        [surfacedLeadKey(1, 8, 77), { launchId: 5 }],
      ]),
    );
  });

  it('D-44 exclude setups, detections without a lead, and signals that are no interactions', () => {
    const events = [
      { type: 'SignalDetected', data: { ...anonymous, setupId: 31 } },
      commented({ leadId: null }),
      commented({ signalType: 'keywordDetection' }),
    ];
    expect(foldAll(surfacedLeads, events).size).toBe(0);
  });

  it('are critical, so that a parked workspace stops its work', () => {
    expect(surfacedLeads.critical).toBe(true);
  });
});
