import { workspaceScoped } from '#kernel/commands/decider.js';
import { claimAll, only, optionsFor, SAMPLE, type ContextOf } from './claim-all.js';
import type { ClaimHost } from './claim-host.js';
import type { ObservedPerson } from './domain/leads/lead-facts.js';
import { lead, leadIdentity, registerLead, updateLead } from './domain/leads/lead.js';
import { identityStream } from './identity-stream.js';

/** A person with the company where they work; `planned` is an id that was allocated for a new person. */
type SeenLead = {
  readonly seen: ObservedPerson;
  readonly companyId: number | null;
  readonly planned?: number | undefined;
};

/** The part of `identityClaims` for people. */
export function leadClaims(host: ClaimHost, workspaceId: number, contextOf: ContextOf) {
  const optionsOf = optionsFor(contextOf);

  const streamOfLead = ({ seen: { identity } }: SeenLead): string => identityStream(workspaceId, identity);

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

  return { claimLead, claimLeads };
}
