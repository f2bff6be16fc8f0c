import { workspaceScoped } from '#kernel/commands/decider.js';
import { claimAll, only, optionsFor, SAMPLE, type ContextOf } from './claim-all.js';
import type { ClaimHost } from './claim-host.js';
import { aliasOf, distinctCompanies, type SeenCompany } from './company-names.js';
import {
  company,
  companyIdentity,
  linkIdentity,
  nameCompany,
  registerCompany,
  updateCompany,
  type CompanyIdentity,
} from './domain/companies/company.js';
import { companyLookUps } from './find-companies.js';
import { identityStream } from './identity-stream.js';

type ClaimedCompany = { readonly companyId: number; readonly isWon: boolean };

/** The part of `identityClaims` for companies. */
export function companyClaims(host: ClaimHost, workspaceId: number, contextOf: ContextOf) {
  const optionsOf = optionsFor(contextOf);
  const { lookUp } = companyLookUps(host, workspaceId);

  /** The ids of companies, in their order; new companies get ids in this order too. */
  const claimCompanies = async (seen: readonly SeenCompany[]): Promise<readonly number[]> =>
    (await claimEachWon(seen, false)).map(({ companyId }) => companyId);

  const claimCompany = async (seen: SeenCompany): Promise<number> => (await claimWon(seen)).companyId;

  /**
   * As `claimCompany`; `isWon` is false if another writer claimed the identity at the same moment. A new company that is
   * claimed `provisionally` is not shown until something else names it, because the call may still be refused.
   */
  async function claimWon(
    seen: SeenCompany,
    { provisionally = false }: { readonly provisionally?: boolean } = {},
  ): Promise<ClaimedCompany> {
    return only(await claimEachWon([seen], provisionally));
  }

  async function claimEachWon(
    seen: readonly SeenCompany[],
    provisionally: boolean,
  ): Promise<readonly ClaimedCompany[]> {
    const { distinct, indexes } = distinctCompanies(seen);
    const claimed = await claimAll(
      host.ids,
      'company',
      distinct,
      (some) => lookUp(some, SAMPLE),
      (_, { known, stub }) => (known.companyId ?? stub?.companyId ?? null) === null,
      async (each, { known, stub }, takeId) => {
        const own =
          known.companyId === null
            ? await registerNew(each, stub, { provisionally, takeId })
            : { ...known, companyId: known.companyId, isWon: true };
        const { companyId, isWon } = own;
        if (known.companyId !== null) await refresh(companyId, known.rev, each);
        if (own.isProvisional && !provisionally) await name(companyId);
        const alias = aliasOf(each);
        if (alias !== null && alias !== stub?.identity) await linkAlias(companyId, alias);
        return { companyId, isWon };
      },
    );
    return indexes.map((index) => only(claimed.slice(index, index + 1)));
  }

  /** The domain that was sent beside a handle names the same company from now on (OP-52). */
  async function linkAlias(companyId: number, identity: string): Promise<void> {
    const decision = linkIdentity({ companyId, identity });
    const stream = identityStream(workspaceId, identity);
    await host.commands.handle(companyIdentity, stream, decision, optionsOf('company-alias', identity));
  }

  const name = (companyId: number) =>
    host.commands.handle(
      company,
      workspaceScoped(workspaceId, companyId),
      nameCompany(companyId),
      optionsOf('company-name', companyId),
    );

  /** A company that was known by its domain alone, and now has a handle, stays the company that it is. */
  async function registerNew(
    seen: SeenCompany,
    stub: Pick<CompanyIdentity, 'companyId' | 'isProvisional'> | null,
    { provisionally, takeId }: { readonly provisionally: boolean; readonly takeId: () => number },
  ): Promise<ClaimedCompany & Pick<CompanyIdentity, 'isProvisional'>> {
    const { identity, facts } = seen;
    const page = facts.network_url === null ? {} : { networkUrl: facts.network_url };
    const stubId = stub?.companyId ?? null;
    const companyId = stubId ?? takeId();
    const decision =
      stubId === null
        ? registerCompany({ companyId, identity, ...copiedOf(seen), ...provisional(provisionally) })
        : linkIdentity({ companyId, identity, ...page, ...provisional(stub?.isProvisional === true) });
    const options = optionsOf('company', identity);
    const { answer } = await host.commands.handle(
      companyIdentity,
      identityStream(workspaceId, identity),
      decision,
      {
        ...options,
        answer: (state) => ({
          id: state.companyId ?? companyId,
          rev: state.rev,
          isProvisional: state.isProvisional,
        }),
      },
    );
    const { id, isProvisional } = answer;
    if (stubId !== null || id !== companyId) await refresh(id, answer.rev, seen);
    return { companyId: id, isWon: id === companyId, isProvisional };
  }

  async function refresh(
    companyId: number,
    knownRev: number,
    seen: Omit<SeenCompany, 'identity'>,
  ): Promise<void> {
    if (seen.rev <= knownRev) return;
    const update = updateCompany({ companyId, ...copiedOf(seen) });
    const stream = workspaceScoped(workspaceId, companyId);
    await host.commands.handle(company, stream, update, optionsOf('company-facts', companyId));
  }

  return { claimCompany, claimCompanies, claimWon };
}

/** What events copy of an observed company. */
const copiedOf = ({ rev, facts, otherDomains }: Omit<SeenCompany, 'identity'>) => ({
  rev,
  facts,
  ...(otherDomains === undefined ? {} : { otherDomains }),
});

const provisional = (is: boolean): { readonly provisional?: true } => (is ? { provisional: true } : {});
