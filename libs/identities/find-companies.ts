import type { ClaimHost } from './claim-host.js';
import { stubsOf, type SeenCompany } from './company-names.js';
import { companyIdentity } from './domain/companies/company.js';
import { identityStream } from './identity-stream.js';

type FindHost = Pick<ClaimHost, 'commands' | 'directory'>;

/** Look-ups of companies in the streams of a workspace. With a `sample`, see `SAMPLE`, companies are presumed to be new. */
export function companyLookUps(host: FindHost, workspaceId: number) {
  const knownAs = (identities: readonly string[], sample?: number) => {
    const ids = identities.map((identity) => identityStream(workspaceId, identity));
    return host.commands.loadEach(
      companyIdentity,
      ids,
      ({ companyId, rev, isProvisional, isLinked }) => ({ companyId, rev, isProvisional, isLinked }),
      sample === undefined ? undefined : { ids: new Set(ids), sample },
    );
  };

  async function lookUp(seen: readonly SeenCompany[], sample?: number) {
    const identities = seen.map(({ identity }) => identity);
    const known = await knownAs(identities, sample);
    const unknown = seen.filter((_, index) => known[index]?.companyId === null);
    const stubs = new Map(
      (await stubsOf(host.directory, unknown, knownAs)).map(
        ([stub = null], index) => [unknown[index], stub] as const,
      ),
    );
    return known.map((company, index) => ({ known: company, stub: stubs.get(seen[index]) ?? null }));
  }

  return { knownAs, lookUp };
}

/** The id of a company in the workspace; null if it has none yet. */
export async function findCompany(
  host: FindHost,
  workspaceId: number,
  seen: SeenCompany,
): Promise<number | null> {
  const [found] = await companyLookUps(host, workspaceId).lookUp([seen]);
  return found?.known.companyId ?? found?.stub?.companyId ?? null;
}

/**
 * The ids of a company in the workspace: that of `findCompany`, then those that domains had made before the company was
 * observed, the oldest first.
 */
export async function findCompanyRecords(
  host: FindHost,
  workspaceId: number,
  seen: SeenCompany,
): Promise<readonly number[]> {
  const { knownAs } = companyLookUps(host, workspaceId);
  const [known] = await knownAs([seen.identity]);
  const [stubs = []] = await stubsOf(host.directory, [seen], knownAs);
  const [first, ...others] = [known?.companyId ?? null, ...stubs.map(({ companyId }) => companyId)].filter(
    (id) => id !== null,
  );
  return first === undefined ? [] : [...new Set([first, ...others.toSorted((one, two) => one - two)])];
}
