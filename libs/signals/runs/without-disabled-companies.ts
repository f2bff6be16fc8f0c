import { areDisabled } from '#identities/companies-named.js';
import { SIGNAL_DETECTION } from '#signals/detection/watched.js';
import type { Match } from '#signals/detection/matches.js';
import type { ProcessHost } from '#process-engine/process.js';

/**
 * The matches of an automatic run without those about companies whose signal detection is disabled (OP-62). Nothing is recorded of
 * them, so a later run finds them once the pipeline is enabled, if it still looks back as far.
 */
export async function withoutDisabledCompanies(
  { readModels }: Pick<ProcessHost, 'readModels'>,
  workspaceId: number,
  matches: readonly Match[],
): Promise<readonly Match[]> {
  const about = matches.filter(({ company }) => company !== null);
  const shown = about.flatMap(({ company }) => company?.facts ?? []);
  const areOff = await areDisabled(readModels, workspaceId, SIGNAL_DETECTION, shown);
  const off = new Set(about.filter((_, index) => areOff[index]));
  return off.size === 0 ? matches : matches.filter((match) => !off.has(match));
}
