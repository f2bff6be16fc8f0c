import type { SignalFilter } from '#apps/api/src/signals/signals/signal-filter.js';

/** The filter that keeps every signal of a workspace inside a window. */
export const unfiltered = ({
  workspaceId,
  window,
}: Pick<SignalFilter, 'workspaceId' | 'window'>): SignalFilter => ({
  workspaceId,
  window,
  priority: null,
  sourceId: null,
  setupIds: null,
  runId: null,
  leadId: null,
  companyIds: null,
  types: null,
  countries: null,
  cities: null,
});
