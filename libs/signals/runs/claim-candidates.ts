import type { CommandContext } from '#kernel/commands/decider.js';
import type { ObservedCompany } from '#identities/domain/companies/company-facts.js';
import type { Candidate } from '#signals/domain/runs/signal-run.events.js';
import type { ClaimHost } from '#identities/claim-host.js';
import { identityClaims } from '#identities/claim-identities.js';

/** The ids of the workspace for what candidates name. */
export type Claims = {
  readonly companyOf: (candidate: Candidate) => number | null;
  readonly leadOf: (candidate: Candidate) => number | null;
  /** By ref: contents of which the workspace has a record, captured now or before. */
  readonly contentOf: (ref: string) => number | null;
};

/** Creates the records of all companies, people and contents of the candidates in the workspace. */
export async function claimIdentities(
  host: ClaimHost,
  workspaceId: number,
  contextOf: (step: string) => CommandContext,
  batch: number,
  candidates: readonly Candidate[],
): Promise<Claims> {
  const { claimCompanies, claimLeads, claimContents } = identityClaims(host, workspaceId, (step) =>
    contextOf(`batch:${batch}:${step}`),
  );

  const seenCompanies = candidates.flatMap(({ company, employer }) => [company, employer ?? null]);
  const companies = await claimEach(
    seenCompanies.flatMap((seen) => (seen === null ? [] : [[seen.identity, seen] as const])),
    claimCompanies,
  );
  const idOf = (seen: ObservedCompany | null): number | null => companies.get(seen?.identity ?? '') ?? null;
  const companyOf = ({ company }: Candidate): number | null => idOf(company);
  /** A lead's company is the current employer, which may differ from the company of the detection (D-34). */
  const employerOf = ({ company, employer = company }: Candidate): number | null => idOf(employer);
  const leads = await claimEach(
    candidates.flatMap((candidate) =>
      candidate.lead === null
        ? []
        : [[candidate.lead.identity, { seen: candidate.lead, candidate }] as const],
    ),
    (seen) => claimLeads(seen.map((one) => ({ seen: one.seen, companyId: employerOf(one.candidate) }))),
  );
  const leadOf = (candidate: Candidate): number | null => leads.get(candidate.lead?.identity ?? '') ?? null;
  const seenContents = candidates.flatMap((candidate) =>
    candidate.contents.map((content) => ({ content, candidate })),
  );
  // A content that one candidate captures and another only names is captured first.
  const captured = seenContents.filter(({ content }) => content.facts !== null);
  const named = seenContents.filter(({ content }) => content.facts === null);
  const claimThese = (seen: typeof seenContents): Promise<ReadonlyMap<string, number | null>> =>
    claimEach(
      seen.map((entry) => [entry.content.ref, entry] as const),
      (entries) =>
        claimContents(
          entries.map(({ content, candidate }) => ({
            content,
            leadId: leadOf(candidate),
            companyId: companyOf(candidate),
          })),
        ),
    );
  const contents = new Map([...(await claimThese(captured))]);
  for (const [ref, id] of await claimThese(named)) contents.set(ref, id);
  return { companyOf, leadOf, contentOf: (ref) => contents.get(ref) ?? null };
}

/** Claims each distinct identity once; ids are allocated in the order in which candidates name them. */
async function claimEach<Seen, Id>(
  entries: readonly (readonly [string, Seen])[],
  claim: (seen: readonly Seen[]) => Promise<readonly Id[]>,
): Promise<ReadonlyMap<string, Id>> {
  const distinct = new Map(entries);
  const ids = await claim([...distinct.values()]);
  return new Map(
    [...distinct.keys()].flatMap((identity, index) => {
      const id = ids[index];
      return id === undefined ? [] : [[identity, id] as const];
    }),
  );
}
