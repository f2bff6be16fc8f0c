import type { SignalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import { isInteraction } from '#signals/domain/runs/interaction-facts.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** This agent has surfaced this lead, first in this launch. */
export type SurfacedLeadDocument = { readonly launchId: number };

export const surfacedLeadKey = (workspaceId: number, agentId: number, leadId: number): string =>
  `${workspaceId}:${agentId}:${leadId}`;

/**
 * The leads of each agent that can discover leads: a lead of an earlier launch is not paid for again (D-44). Such an
 * agent watches a list and finds only interactions, so other detections are left out.
 */
export const surfacedLeads = projection<SurfacedLeadDocument, Pick<SignalRunEvents, 'SignalDetected'>>()({
  name: 'surfaced-leads',
  version: 1,
  critical: true,
  indexes: {},
  key: (event) => {
    const { agentId, launchId, leadId, signalType } = event.data;
    if (agentId === undefined || launchId === undefined || leadId === null) return null;
    return isInteraction(signalType) ? surfacedLeadKey(workspaceIdOf(event), agentId, leadId) : null;
  },
  on: {
    SignalDetected: (first, { data: { launchId } }) =>
      first ?? (launchId === undefined ? null : { launchId }),
  },
});
