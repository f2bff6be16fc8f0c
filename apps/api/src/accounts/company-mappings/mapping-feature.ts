import { featureNotEnabled } from '#access/domain/workspaces/workspace.js';

/** What every endpoint of mappings declares: the feature that it needs, and the refusal without it. */
export const mappingFeature = { feature: 'account_mapping', problem: featureNotEnabled } as const;
