import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import { signalRunKey, signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import { filteredCompanies, type CompanyFilterPorts } from './filtered-companies.js';
import type { SignalFilterBodyV2 } from './signal-filter.body.js';
import type { SignalFilter } from './signal-filter.js';
import { signalWindow, type SignalWindow } from './signal-window.js';

/** The window of query and count; if a run is given, its launch date is looked up. */
export async function windowOfV2(
  readModels: ReadModels,
  workspaceId: number,
  body: SignalFilterBodyV2,
  now: Date,
): Promise<SignalWindow> {
  const run =
    body.signal_run_id === undefined
      ? null
      : await readModels.get(signalRuns, signalRunKey(body.signal_run_id));
  return signalWindow(body, now, ownedBy(workspaceId, run)?.createdAt ?? null);
}

/** The part of the filter that query and count share. Throws the refusals of `filteredCompanies`. */
export async function filterOfV2(
  ports: CompanyFilterPorts,
  workspaceId: number,
  body: SignalFilterBodyV2,
  window: SignalWindow,
): Promise<SignalFilter> {
  return {
    workspaceId,
    window,
    priority: null,
    sourceId: body.agent_id ?? null,
    setupIds: null,
    runId: body.signal_run_id ?? null,
    leadId: body.lead_id ?? null,
    companyIds: await filteredCompanies(ports, workspaceId, body),
    types: null,
    countries: body.countries ?? null,
    cities: body.cities ?? null,
  };
}
