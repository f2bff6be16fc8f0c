import { featureNotEnabled } from '#access/domain/workspaces/workspace.js';

/** The feature that every endpoint of mappings needs, and the refusal without it. */
export const mappingFeature = { feature: 'account_mapping', problem: featureNotEnabled } as const;
