import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { filteredCompanies, type CompanyFilterPorts } from './filtered-companies.js';
import { launchOfRun } from './launch-of-run.js';
import type { SignalFilterBodyV2 } from './signal-filter.body.js';
import type { SignalFilter } from './signal-filter.js';
import { signalWindow, type SignalWindow } from './signal-window.js';

/** The window of query and count. */
export async function windowOfV2(
  readModels: ReadModels,
  workspaceId: number,
  body: SignalFilterBodyV2,
  now: Date,
): Promise<SignalWindow> {
  return signalWindow(body, now, await launchOfRun(readModels, workspaceId, body.signal_run_id));
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
