import type { Commands } from '#kernel/commands/commands.js';
import { type Ids, type SequenceKind, allocatedId } from '#kernel/commands/ids.js';
import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { inPieces } from '#kernel/values/pieces.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import {
  company,
  companyIdentity,
  linkIdentity,
  nameCompany,
  registerCompany,
  updateCompany,
  type CompanyIdentity,
} from './domain/companies/company.js';
import { companyEvents, companyIdentityEvents } from './domain/companies/company.events.js';
import { captureContent, contentIdentity } from './domain/contents/content.js';
import { contentEvents, type ContentEvents } from './domain/contents/content.events.js';
import { lead, leadIdentity, registerLead, updateLead } from './domain/leads/lead.js';
import { leadEvents, leadIdentityEvents } from './domain/leads/lead.events.js';
import {
  aliasOf,
  distinctCompanies,
  stubsOf,
  type CompanyDirectory,
  type SeenCompany,
} from './company-names.js';
import type { ObservedPerson } from './domain/leads/lead-facts.js';
import { personIdentityOf } from './observed-facts.js';

/** What claiming needs; processes and operator commands have it. */
export type ClaimHost = {
  readonly commands: Commands;
  readonly ids: Ids;
  readonly directory: CompanyDirectory;
};

export const claimHostOf = ({
  commands,
  ids,
  network,
}: Omit<ClaimHost, 'directory'> & { readonly network: Pick<ClaimHost, 'directory'> }): ClaimHost => ({
  commands,
  ids,
  directory: network.directory,
});

/** The event types that claims append, for callers that wait for their read models. */
export const identityTypes: readonly string[] = [
  companyIdentityEvents,
  companyEvents,
  leadIdentityEvents,
  leadEvents,
  contentEvents,
].flatMap((vocabulary) => Object.keys(vocabulary));

/** Hex digits of SHA-256 in the name of an identity stream. */
const HASH_LENGTH = 32;

/** The number of streams that are read, and then written, concurrently. */
const CLAIMS_AT_ONCE = 50;

/**
 * People and companies that are not in memory are mostly new in the workspace, or mostly not: an event store that cannot prove it
 * reads so many of them, and the others only if one of these is not new.
 */
const SAMPLE = 4;

type ContextOf = (step: string) => CommandContext;

/** An observed content; without facts it gets an id only if the workspace already has it. */
type SeenContent = Pick<ContentEvents['ContentCaptured'], 'ref' | 'type'> & {
  readonly facts: ContentEvents['ContentCaptured']['facts'] | null;
};

/** A person with the company where they work; `planned` is an id that was allocated for a new person. */
type SeenLead = {
  readonly seen: ObservedPerson;
  readonly companyId: number | null;
  readonly planned?: number | undefined;
};

type ClaimedContent = {
  readonly content: SeenContent;
  readonly leadId: number | null;
  readonly companyId: number | null;
};

const idOfContent = ({ contentId }: { readonly contentId: number | null }): number | null => contentId;

/** The id part of an identity's stream. */
const streamOf = (workspaceId: number, identity: string): string =>
  workspaceScoped(workspaceId, sha256Hex(identity).slice(0, HASH_LENGTH));

/**
 * Claims all of them side by side. The ids of those that are new are drawn before, in the order of the list, and not
 * in that in which the stores answer.
 */
async function claimAll<Seen, Known, Claimed>(
  ids: Ids,
  kind: SequenceKind,
  seen: readonly Seen[],
  lookUp: (seen: readonly Seen[]) => Promise<readonly Known[]>,
  isNew: (seen: Seen, known: Known) => boolean,
  claim: (seen: Seen, known: Known, takeId: () => number) => Promise<Claimed>,
): Promise<readonly Claimed[]> {
  const claimed: Claimed[] = [];
  for (const piece of inPieces(seen, CLAIMS_AT_ONCE)) {
    const found = await lookUp(piece);
    const looked = found.flatMap((known, index) => {
      const each = piece[index];
      return each === undefined ? [] : [{ each, known }];
    });
    const fresh = [
      ...(await ids.nextMany(kind, looked.filter(({ each, known }) => isNew(each, known)).length)),
    ];
    // Each takes its id before anything is waited for: in the order of the list.
    const takeId = (): number => allocatedId(fresh.splice(0, 1), 0);
    claimed.push(
      ...(await sideBySide(looked, CLAIMS_AT_ONCE, ({ each, known }) => claim(each, known, takeId))),
    );
  }
  return claimed;
}

const optionsFor = (contextOf: ContextOf) => (what: string, id: string | number) => ({
  context: contextOf(`${what}:${id}`),
  waitForReadModels: false,
});

/**
 * Creates the records of companies and people in the workspace. The first append to an identity's stream decides the id;
 * a repetition finds that id. Existing records are updated if the network has newer facts.
 */
export const identityClaims = (host: ClaimHost, workspaceId: number, contextOf: ContextOf) => ({
  ...companyClaims(host, workspaceId, contextOf),
  ...leadClaims(host, workspaceId, contextOf),
  ...contentClaims(host, workspaceId, contextOf),
});

function companyClaims(host: ClaimHost, workspaceId: number, contextOf: ContextOf) {
  const optionsOf = optionsFor(contextOf);

  const companiesKnownAs = (identities: readonly string[], sample?: number) => {
    const ids = identities.map((identity) => streamOf(workspaceId, identity));
    return host.commands.loadEach(
      companyIdentity,
      ids,
      ({ companyId, rev, isProvisional, isLinked }) => ({ companyId, rev, isProvisional, isLinked }),
      sample === undefined ? undefined : { ids: new Set(ids), sample },
    );
  };

  async function lookUpCompanies(seen: readonly SeenCompany[], sample?: number) {
    const identities = seen.map(({ identity }) => identity);
    const known = await companiesKnownAs(identities, sample);
    const unknown = seen.filter((_, index) => known[index]?.companyId === null);
    const stubs = new Map(
      (await stubsOf(host.directory, unknown, companiesKnownAs)).map(
        ([stub = null], index) => [unknown[index], stub] as const,
      ),
    );
    return known.map((company, index) => ({ known: company, stub: stubs.get(seen[index]) ?? null }));
  }

  /** The id of a company in the workspace; null if it has none yet. Claims nothing. */
  async function findCompany(seen: SeenCompany): Promise<number | null> {
    const { known, stub } = only(await lookUpCompanies([seen]));
    return known.companyId ?? stub?.companyId ?? null;
  }

  /**
   * The ids of a company in the workspace: that of `findCompany`, then those that domains had made before the company was
   * observed, the oldest first. Claims nothing.
   */
  async function findRecords(seen: SeenCompany): Promise<readonly number[]> {
    const { companyId } = only(await companiesKnownAs([seen.identity]));
    const stubs = only(await stubsOf(host.directory, [seen], companiesKnownAs));
    const [first, ...others] = [companyId, ...stubs.map((stub) => stub.companyId)].filter(
      (id) => id !== null,
    );
    return first === undefined ? [] : [...new Set([first, ...others.toSorted((one, two) => one - two)])];
  }

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
      (some) => lookUpCompanies(some, SAMPLE),
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
    const stream = streamOf(workspaceId, identity);
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
      streamOf(workspaceId, identity),
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

  return { claimCompany, claimCompanies, claimWon, findCompany, findRecords };
}

/** The ids that a person has in the workspace: one, or two if the handle was unknown at first (SRC-08). */
export async function leadIdsOf(
  commands: Pick<Commands, 'load'>,
  workspaceId: number,
  { handle, ref }: Parameters<typeof personIdentityOf>[0],
): Promise<readonly number[]> {
  const names = [personIdentityOf({ handle, ref }), personIdentityOf({ handle: null, ref })];
  const found = await Promise.all([...new Set(names)].map((name) => findLead(commands, workspaceId, name)));
  return found.filter((leadId) => leadId !== null);
}

/** The id of the person of this identity; null for one that the workspace has no record of. */
export const findLead = (
  commands: Pick<Commands, 'load'>,
  workspaceId: number,
  identity: string,
): Promise<number | null> =>
  commands.load(leadIdentity, streamOf(workspaceId, identity), ({ leadId }) => leadId);

function leadClaims(host: ClaimHost, workspaceId: number, contextOf: ContextOf) {
  const optionsOf = optionsFor(contextOf);

  const streamOfLead = ({ seen: { identity } }: SeenLead): string => streamOf(workspaceId, identity);

  const lookUpLeads = (leads: readonly SeenLead[]) => {
    const ids = leads.map(streamOfLead);
    const presumed = { ids: new Set(ids), sample: SAMPLE };
    return host.commands.loadEach(leadIdentity, ids, ({ leadId, rev }) => ({ leadId, rev }), presumed);
  };
  const isNewLead = ({ planned }: SeenLead, { leadId }: { readonly leadId: number | null }): boolean =>
    leadId === null && planned === undefined;

  /** The ids of people, in their order: those that are new get theirs in this order too. */
  const claimLeads = (leads: readonly SeenLead[]): Promise<readonly number[]> =>
    claimAll(host.ids, 'lead', leads, lookUpLeads, isNewLead, async (wanted, known, takeId) => {
      const { companyId, planned } = wanted;
      const { identity, rev, facts } = wanted.seen;
      let { leadId, rev: knownRev } = known;
      if (leadId === null) {
        const own = planned ?? takeId();
        const register = registerLead({ leadId: own, identity, rev, facts, companyId });
        const { answer } = await host.commands.handle(leadIdentity, streamOfLead(wanted), register, {
          ...optionsOf('lead', identity),
          answer: (state) => ({ leadId: state.leadId ?? own, rev: state.rev }),
        });
        // The revision is another one if the person was there.
        ({ leadId, rev: knownRev } = answer);
      }
      if (rev > knownRev) {
        const update = updateLead({ leadId, rev, facts, companyId });
        const own = workspaceScoped(workspaceId, leadId);
        await host.commands.handle(lead, own, update, optionsOf('lead-facts', leadId));
      }
      return leadId;
    });

  /** `planned` is an id that was allocated for a person who was not known yet. */
  const claimLead = async (
    seen: ObservedPerson,
    companyId: number | null,
    planned?: number,
  ): Promise<number> => only(await claimLeads([{ seen, companyId, planned }]));

  /** The id of a person in the workspace; null if there is none yet. Claims nothing. */
  return { claimLead, claimLeads };
}

function contentClaims(host: ClaimHost, workspaceId: number, contextOf: ContextOf) {
  const optionsOf = optionsFor(contextOf);

  const streamOfContent = ({ content: { ref } }: ClaimedContent): string => streamOf(workspaceId, ref);

  const lookUpContents = (contents: readonly ClaimedContent[]) => {
    const ids = contents.map(streamOfContent);
    const captured = ids.filter((_, index) => contents[index]?.content.facts !== null);
    // Nearly every content is new in its workspace.
    const presumed = { ids: new Set(captured), sample: 0 };
    return host.commands.loadEach(contentIdentity, ids, idOfContent, presumed);
  };
  const isNewContent = ({ content }: ClaimedContent, contentId: number | null): boolean =>
    contentId === null && content.facts !== null;

  /**
   * The ids of contents in the workspace, in their order; new contents get ids in this order too. Null for a content that
   * was not captured before and has no facts.
   */
  const claimContents = (contents: readonly ClaimedContent[]): Promise<readonly (number | null)[]> =>
    claimAll(host.ids, 'content', contents, lookUpContents, isNewContent, async (wanted, known, takeId) => {
      const { leadId, companyId } = wanted;
      const { ref, type, facts } = wanted.content;
      if (known !== null || facts === null) return known;
      const contentId = takeId();
      const capture = captureContent({ contentId, ref, type, facts, leadId, companyId });
      const options = { ...optionsOf('content', ref), answer: idOfContent };
      const claimed = await host.commands.handle(contentIdentity, streamOfContent(wanted), capture, options);
      return claimed.answer ?? contentId;
    });

  return { claimContents };
}

/** What events copy of an observed company. */
const copiedOf = ({ rev, facts, otherDomains }: Omit<SeenCompany, 'identity'>) => ({
  rev,
  facts,
  ...(otherDomains === undefined ? {} : { otherDomains }),
});

const provisional = (is: boolean): { readonly provisional?: true } => (is ? { provisional: true } : {});

type ClaimedCompany = { readonly companyId: number; readonly isWon: boolean };

function only<Claimed>(claimed: readonly Claimed[]): Claimed {
  const [first] = claimed;
  if (first === undefined) throw new Error('a claim came to nothing');
  return first;
}
