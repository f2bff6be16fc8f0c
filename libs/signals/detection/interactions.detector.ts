import { Type } from '#kernel/values/schema.js';
import { INTERACTIONS, isInteraction, type Interaction } from '#signals/domain/runs/interaction-facts.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { Author, ObservedInteraction } from '#network/network-source.port.js';
import { detector, type DetectorRun, type Findings } from './detector.js';
import { interactionFinding, isBrief } from './engagement/interaction-finding.js';
import { interactionSearch, kindsOf, signalsOf } from './engagement/interaction-search.js';
import { externalTo, sidesOf, worksFor, type Sides } from './engagement/sides.js';
import type { Finding } from './finding.js';

/** Interactions between an agent's list and top accounts, and between a competitor's team and others (2.4). */
export const interactionsDetector = detector({
  kind: 'interactions',
  signalTypes: [
    'competitorInboundComment',
    'competitorOutboundComment',
    'partnerInboundComment',
    'partnerOutboundComment',
    'customerInboundComment',
    'customerOutboundComment',
    'influencerInboundComment',
    'influencerOutboundComment',
    'championInboundComment',
    'championOutboundComment',
    'networkComment',
    'networkReaction',
    'leadCommentedCompetitorContent',
    'leadLikedCompetitorContent',
  ],
  directions: ['inbound', 'outbound'],
  audiences: ['list_members', 'top_accounts'],
  arrivals: ['comment', 'reaction'],
  templates: [],
  parameters: Type.Object({}),
  async search(run) {
    const { direction, watched } = run;
    const listed = await watched.members();
    // A comment can fit both types: the one that monitors an account is recorded first (D-40).
    const types = [...signalsOf(run)].sort((left, right) => Number(isBrief(right)) - Number(isBrief(left)));
    if (listed === null || direction === 'single' || types.length === 0) return null;
    const accounts = types.some(isBrief) ? await watched.topAccounts() : [];
    const isExternal = await externalTo(watched, listed);
    const isOfAccount = worksFor(accounts);
    const isOfTeam = teamOf(run);
    const isWanted = (type: Interaction, sides: Sides): boolean =>
      isBrief(type)
        ? isOfAccount(sides) && isExternal(sides, true)
        : isOfTeam(sides.tracked) && isExternal(sides);
    const judged = (seen: ObservedInteraction): readonly Finding[] => {
      const sides = sidesOf(direction, seen);
      if (sides?.tracked.entity !== 'person') return [];
      return types
        .filter((type) => INTERACTIONS[type].kind === seen.kind && isWanted(type, sides))
        .flatMap((type) => interactionFinding(type, seen, sides) ?? []);
    };
    const other = types.every(isBrief) ? { companyRefs: accounts, personRefs: [] } : null;
    return interactionSearch(run, { tracked: listed, other, kinds: kindsOf(types) }, (seen) =>
      paidOnce(run, seen.map(judged)),
    );
  },
});

/** The competitor's team in discovery: people with one of the titles (D-15); without titles everybody. */
function teamOf({ targetTitles }: DetectorRun<unknown>): (tracked: Author) => boolean {
  if (targetTitles === null) return () => true;
  const find = keywordMatcher(targetTitles, 'any');
  return (tracked) => tracked.entity === 'person' && find(tracked.person.current?.title ?? '').length > 0;
}

/** Whether it surfaces a lead; account monitoring does not. */
const isDiscovered = ({ signalType }: Finding): boolean => isInteraction(signalType) && !isBrief(signalType);

/**
 * A discovered person is paid for once: all findings of a launch share one charge, and a lead of an earlier launch is
 * free (D-44).
 */
async function paidOnce(
  run: DetectorRun<unknown>,
  findings: readonly (readonly Finding[])[],
): Promise<Findings> {
  const leads = findings.flat().flatMap((finding) => (isDiscovered(finding) ? (finding.lead ?? []) : []));
  const surfaced = leads.length === 0 ? new Set<string>() : await run.surfacedBefore(leads);
  return findings.map((ofOne) =>
    ofOne.map((finding) => {
      const { lead } = finding;
      if (!isDiscovered(finding) || lead === null) return { ...finding, free: true };
      return { ...finding, chargeKey: `lead:${lead.ref}`, free: surfaced.has(lead.ref) };
    }),
  );
}
