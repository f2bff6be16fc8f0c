import { DISABLED } from '#identities/domain/companies/company.js';
import type { Match } from '#signals/detection/matches.js';
import {
  companies,
  identifiersOf,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import type { ProcessHost } from '#process-engine/process.js';

/** The pipeline type that finds signals about a company without being asked. */
const SIGNAL_DETECTION = 'signal_detection';

/**
 * The matches of an automatic run without those about companies whose signal detection is disabled (OP-62). Nothing is recorded of
 * them, so a later run finds them once the pipeline is enabled, if it still looks back as far.
 */
export async function withoutDisabledCompanies(
  { readModels }: Pick<ProcessHost, 'readModels'>,
  workspaceId: number,
  matches: readonly Match[],
): Promise<readonly Match[]> {
  const named = matches.flatMap(({ company }) => (company === null ? [] : [identifiersOf(company.facts)]));
  const handles = present(named.map(({ networkHandle }) => networkHandle));
  const domains = present(named.map(({ domain }) => domain));
  const [byHandle, byDomain] = await Promise.all([
    handles.length === 0
      ? []
      : readModels.find(companies, { where: { workspaceId, networkHandle: { in: handles } } }),
    domains.length === 0
      ? []
      : readModels.find(companies, { where: { workspaceId, domain: { in: domains } } }),
  ]);
  const disabledHandles = new Set(byHandle.filter(isDisabled).map(({ networkHandle }) => networkHandle));
  // A company with another handle is another company, even with the same domain.
  const stubs = byDomain.filter(({ networkHandle }) => networkHandle === null);
  const disabledDomains = new Set(stubs.filter(isDisabled).map(({ domain }) => domain));
  if (disabledHandles.size === 0 && disabledDomains.size === 0) return matches;
  return matches.filter(({ company }) => {
    if (company === null) return true;
    const { networkHandle, domain } = identifiersOf(company.facts);
    if (networkHandle !== null && disabledHandles.has(networkHandle)) return false;
    return domain === null || !disabledDomains.has(domain);
  });
}

const present = (texts: readonly (string | null)[]): readonly string[] => [
  ...new Set(texts.filter((text) => text !== null)),
];

const isDisabled = ({ pipelineConfigs }: CompanyDocument): boolean =>
  pipelineConfigs.some(
    ({ pipeline_type, configuration }) => pipeline_type === SIGNAL_DETECTION && configuration === DISABLED,
  );
