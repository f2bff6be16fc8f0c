import type { Commands } from '#kernel/commands/commands.js';
import type { Ids } from '#kernel/commands/ids.js';
import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';
import {
  company,
  companyIdentity,
  linkIdentity,
  nameCompany,
  registerCompany,
  updateCompany,
  type CompanyIdentity,
} from '#domain/companies/company.js';
import { companyEvents, companyIdentityEvents } from '#domain/companies/company.events.js';
import { captureContent, contentIdentity } from '#domain/contents/content.js';
import { contentEvents } from '#domain/contents/content.events.js';
import { lead, leadIdentity, registerLead, updateLead } from '#domain/leads/lead.js';
import { leadEvents, leadIdentityEvents } from '#domain/leads/lead.events.js';
import type {
  Candidate,
  CandidateContent,
  ObservedCompany,
  ObservedPerson,
} from '#domain/signal-runs/signal-run.events.js';

/** What claiming needs; processes and operator commands have it. */
export type ClaimHost = { readonly commands: Commands; readonly ids: Ids };

/** The workspace's own ids of what candidates name. */
export type Claims = {
  readonly companyOf: (candidate: Candidate) => number | null;
  readonly leadOf: (candidate: Candidate) => number | null;
  /** By ref: contents that the workspace has a record of, captured or found there. */
  readonly contentOf: (ref: string) => number | null;
};

/** Event types that claims append, for whoever waits for the read models of them. */
export const identityTypes: readonly string[] = [
  companyIdentityEvents,
  companyEvents,
  leadIdentityEvents,
  leadEvents,
  contentEvents,
].flatMap((vocabulary) => Object.keys(vocabulary));

/** Hex digits of SHA-256 in the name of an identity stream. */
const HASH_LENGTH = 32;

type ContextOf = (step: string) => CommandContext;

/** The id part of an identity's stream. */
const streamOf = (workspaceId: number, identity: string): string =>
  workspaceScoped(workspaceId, sha256Hex(identity).slice(0, HASH_LENGTH));

/**
 * Gives companies and people their record in the workspace. Who appends first to an identity's stream decides its
 * id; a repetition finds that id. A known one of which the network has newer facts gets those.
 */
export function identityClaims(host: ClaimHost, workspaceId: number, contextOf: ContextOf) {
  const optionsOf = (what: string, id: string | number) => ({
    context: contextOf(`${what}:${id}`),
    answer: () => null,
    waitForReadModels: false,
  });

  const companyKnownAs = (identity: string) =>
    host.commands.load(
      companyIdentity,
      streamOf(workspaceId, identity),
      ({ companyId, rev, isProvisional }) => ({ companyId, rev, isProvisional }),
    );

  /** Whose id a company has in the workspace; null where it has none yet. Claims nothing. */
  async function findCompany({ identity, facts }: ObservedCompany): Promise<number | null> {
    const { companyId } = await companyKnownAs(identity);
    return companyId ?? (await stubOf({ identity, facts })).companyId;
  }

  /** A company that was known by its domain alone, and now has a handle. */
  async function stubOf({ identity, facts }: Pick<ObservedCompany, 'identity' | 'facts'>) {
    const byDomain = `domain:${facts.domain ?? ''}`;
    if (identity === byDomain || facts.domain === null) return { companyId: null, isProvisional: false };
    return companyKnownAs(byDomain);
  }

  const claimCompany = async (seen: ObservedCompany): Promise<number> => (await claimWon(seen)).companyId;

  /**
   * As `claimCompany`; `isWon` is false where somebody else claimed the identity at the same moment. Claimed
   * `provisionally`, a new company is not shown before anything else names it: the claimer may still be refused.
   */
  async function claimWon(
    { identity, rev, facts }: ObservedCompany,
    { provisionally = false }: { readonly provisionally?: boolean } = {},
  ): Promise<ClaimedCompany> {
    const known = await companyKnownAs(identity);
    const claimed =
      known.companyId === null
        ? await registerNew({ identity, rev, facts }, provisionally)
        : { ...known, companyId: known.companyId, isWon: true };
    const { companyId, isWon } = claimed;
    if (known.companyId !== null) await refresh(companyId, known.rev, { rev, facts });
    if (claimed.isProvisional && !provisionally) await name(companyId);
    return { companyId, isWon };
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
    { identity, rev, facts }: ObservedCompany,
    provisionally: boolean,
  ): Promise<ClaimedCompany & Pick<CompanyIdentity, 'isProvisional'>> {
    const stub = await stubOf({ identity, facts });
    const companyId = stub.companyId ?? (await host.ids.next('company'));
    const decision =
      stub.companyId === null
        ? registerCompany({ companyId, identity, rev, facts, ...provisional(provisionally) })
        : linkIdentity({ companyId, identity, ...provisional(stub.isProvisional) });
    const options = optionsOf('company', identity);
    const { answer } = await host.commands.handle(
      companyIdentity,
      streamOf(workspaceId, identity),
      decision,
      {
        ...options,
        answer: (state) => ({ id: state.companyId ?? companyId, isProvisional: state.isProvisional }),
      },
    );
    const { id, isProvisional } = answer;
    if (stub.companyId !== null) await refresh(id, 0, { rev, facts });
    return { companyId: id, isWon: id === companyId, isProvisional };
  }

  async function refresh(
    companyId: number,
    knownRev: number,
    { rev, facts }: Omit<ObservedCompany, 'identity'>,
  ): Promise<void> {
    if (rev <= knownRev) return;
    const update = updateCompany({ companyId, rev, facts });
    const stream = workspaceScoped(workspaceId, companyId);
    await host.commands.handle(company, stream, update, optionsOf('company-facts', companyId));
  }

  /** `planned` is an id that was allocated for a person who was not known yet. */
  async function claimLead(
    { identity, rev, facts }: ObservedPerson,
    companyId: number | null,
    planned?: number,
  ): Promise<number> {
    const stream = streamOf(workspaceId, identity);
    const known = await host.commands.load(leadIdentity, stream, ({ leadId, rev: knownRev }) => ({
      leadId,
      rev: knownRev,
    }));
    if (known.leadId === null) {
      const leadId = planned ?? (await host.ids.next('lead'));
      const claimed = await host.commands.handle(
        leadIdentity,
        stream,
        registerLead({ leadId, identity, rev, facts, companyId }),
        { ...optionsOf('lead', identity), answer: (state) => state.leadId ?? leadId },
      );
      return claimed.answer;
    }
    if (rev > known.rev) {
      const update = updateLead({ leadId: known.leadId, rev, facts, companyId });
      const own = workspaceScoped(workspaceId, known.leadId);
      await host.commands.handle(lead, own, update, optionsOf('lead-facts', known.leadId));
    }
    return known.leadId;
  }

  /** Whose id a person has in the workspace; null where there is none yet. Claims nothing. */
  const findLead = (identity: string): Promise<number | null> =>
    host.commands.load(leadIdentity, streamOf(workspaceId, identity), ({ leadId }) => leadId);

  return { claimCompany, claimWon, findCompany, claimLead, findLead };
}

const provisional = (is: boolean): { readonly provisional?: true } => (is ? { provisional: true } : {});

type ClaimedCompany = { readonly companyId: number; readonly isWon: boolean };

/** Gives every company, person and content that the candidates name its record in the workspace. */
export async function claimIdentities(
  host: ClaimHost,
  workspaceId: number,
  contextOf: ContextOf,
  batch: number,
  candidates: readonly Candidate[],
): Promise<Claims> {
  const { claimCompany, claimLead } = identityClaims(host, workspaceId, (step) =>
    contextOf(`batch:${batch}:${step}`),
  );

  async function claimContent(
    { ref, type, facts }: CandidateContent,
    leadId: number | null,
    companyId: number | null,
  ): Promise<number | null> {
    const stream = streamOf(workspaceId, ref);
    const known = await host.commands.load(contentIdentity, stream, ({ contentId: claimed }) => claimed);
    if (known !== null || facts === null) return known;
    const contentId = await host.ids.next('content');
    const claimed = await host.commands.handle(
      contentIdentity,
      stream,
      captureContent({ contentId, ref, type, facts, leadId, companyId }),
      {
        context: contextOf(`batch:${batch}:content:${ref}`),
        answer: (state) => state.contentId ?? contentId,
        waitForReadModels: false,
      },
    );
    return claimed.answer;
  }

  const seenCompanies = candidates.flatMap(({ company, employer }) => [company, employer ?? null]);
  const companies = await claimEach(
    seenCompanies.flatMap((seen) => (seen === null ? [] : [[seen.identity, seen] as const])),
    claimCompany,
  );
  const idOf = (seen: ObservedCompany | null): number | null => companies.get(seen?.identity ?? '') ?? null;
  const companyOf = ({ company }: Candidate): number | null => idOf(company);
  /** A lead's company is the present employer, which is not always what the detection is about (D-34). */
  const employerOf = ({ company, employer = company }: Candidate): number | null => idOf(employer);
  const leads = await claimEach(
    candidates.flatMap((candidate) =>
      candidate.lead === null
        ? []
        : [[candidate.lead.identity, { seen: candidate.lead, candidate }] as const],
    ),
    ({ seen, candidate }) => claimLead(seen, employerOf(candidate)),
  );
  const leadOf = (candidate: Candidate): number | null => leads.get(candidate.lead?.identity ?? '') ?? null;
  const seenContents = candidates.flatMap((candidate) =>
    candidate.contents.map((content) => ({ content, candidate })),
  );
  // What one candidate captures another may only name: it is captured first.
  const captured = seenContents.filter(({ content }) => content.facts !== null);
  const named = seenContents.filter(({ content }) => content.facts === null);
  const claimContents = (seen: typeof seenContents): Promise<ReadonlyMap<string, number | null>> =>
    claimEach(
      seen.map((entry) => [entry.content.ref, entry] as const),
      ({ content, candidate }) => claimContent(content, leadOf(candidate), companyOf(candidate)),
    );
  const contents = new Map([...(await claimContents(captured))]);
  for (const [ref, id] of await claimContents(named)) contents.set(ref, id);
  return { companyOf, leadOf, contentOf: (ref) => contents.get(ref) ?? null };
}

/** Claims each distinct identity once, side by side: they are streams of their own. */
async function claimEach<Seen, Id>(
  entries: readonly (readonly [string, Seen])[],
  claim: (seen: Seen) => Promise<Id>,
): Promise<ReadonlyMap<string, Id>> {
  const distinct = [...new Map(entries)];
  const ids = await Promise.all(
    distinct.map(async ([identity, seen]) => [identity, await claim(seen)] as const),
  );
  return new Map(ids);
}
