import { FAILED_STAGES, STAGES_UNDER_WAY } from '#accounts/domain/content-requests/content-request.events.js';

/** The stages of a company's mapping. */
export const MAPPING_STAGES = [
  ...STAGES_UNDER_WAY.account_mapping,
  FAILED_STAGES.account_mapping,
  'completed',
] as const;
