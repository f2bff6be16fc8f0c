import type { JsonObject } from '#kernel/values/json.js';
import { TARGET_GROUPS } from './agent-types.js';

/** Titles of the new-business side (OP-34). */
const PROSPECTS = [
  'Account Executive',
  'Senior Account Executive',
  'Sales Manager',
  'Head of Sales',
  'VP Sales',
  'Sales Development Representative',
  'Business Development Representative',
  'SDR Manager',
  'Chief Revenue Officer',
  'VP Revenue',
  'CEO',
  'Founder',
];
/** Titles of the account side. */
const CUSTOMERS = [
  'Account Manager',
  'Key Account Manager',
  'Customer Success Manager',
  'Head of Customer Success',
  'VP Customer Success',
  'Customer Support Manager',
  'Support Specialist',
];

export type TargetGroup = (typeof TARGET_GROUPS)[number];

/** The titles of a competitor agent for its target group. */
export const titlesOfGroup: { readonly [Group in TargetGroup]: readonly string[] } = {
  prospects: PROSPECTS,
  customers: CUSTOMERS,
  all: [...PROSPECTS, ...CUSTOMERS],
};

/** The titles of the target group in these parameters; nothing if they name none. */
export function titlesAskedFor(parameters: JsonObject): { readonly resolvedTargetPersona?: string[] } {
  const group = TARGET_GROUPS.find((target) => target === parameters['target_group']);
  return group === undefined ? {} : { resolvedTargetPersona: [...titlesOfGroup[group]] };
}

/** The titles of an agent without a target group: those of the active personas, or all titles. */
export function inheritedTitles(jobTitles: readonly string[]): readonly string[] {
  const distinct = [...new Set(jobTitles)];
  return distinct.length === 0 ? titlesOfGroup.all : distinct;
}
