import type { CompanyFacts } from '#network/network-directory.port.js';
import { compareCodePoints } from '#network/position.js';
import { companyAudience } from '#signals/detection/company-audience.js';
import type { DetectorRun } from '#signals/detection/detector.js';

/** Companies about which a run may ask, in order of their refs. */
export type Companies = (after: string | null) => Promise<{
  readonly companies: readonly CompanyFacts[];
  /** The last company read; null: there are no more. */
  readonly last: string | null;
}>;

/** Whether a company is not after `upTo` in that order; null: no company is. */
export const isUpTo = (ref: string, upTo: string | null): boolean =>
  upTo === null || compareCodePoints(ref, upTo) <= 0;

const COMPANIES_AT_ONCE = 200;

/**
 * The companies of the persona's market and the covered ones (D-19), or in a pass only the covered ones. Once
 * findings can no longer be paid for, only companies that are free (D-83).
 */
export async function companiesOfMarket({
  dry,
  persona,
  watched,
  directory,
}: Pick<DetectorRun<unknown>, 'dry' | 'persona' | 'watched' | 'directory'>): Promise<Companies> {
  const { companyRefs, includes } = await companyAudience({ persona, watched });
  const few = dry ? [...(await watched.covered())] : companyRefs;
  if (few !== null) {
    const refs = [...new Set(few)].sort(compareCodePoints);
    return async (after) => {
      const left = after === null ? refs : refs.filter((ref) => compareCodePoints(ref, after) > 0);
      const looked = left.slice(0, COMPANIES_AT_ONCE);
      const known = await directory.companies(looked);
      return {
        companies: looked.flatMap((ref) => known.get(ref) ?? []),
        last: left.length > looked.length ? (looked.at(-1) ?? null) : null,
      };
    };
  }
  return async (after) => {
    const looked = await directory.companiesByRef(after, COMPANIES_AT_ONCE);
    return {
      companies: looked.filter(includes),
      last: looked.length < COMPANIES_AT_ONCE ? null : (looked.at(-1)?.ref ?? null),
    };
  };
}
