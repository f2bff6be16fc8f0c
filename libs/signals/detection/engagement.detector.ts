import { OneOf, Type, type Static } from '#kernel/values/schema.js';
import type { JsonObject } from '#kernel/values/json.js';
import { TARGET_GROUPS } from '#signals/domain/agents/agent-types.js';
import { titlesAskedFor, titlesOfGroup } from '#signals/domain/agents/target-persona.js';
import { INTERACTIONS, isInteraction } from '#signals/domain/runs/interaction-facts.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { ObservedInteraction, Whose } from '#network/network-source.port.js';
import { detector, oneByOne, type DetectorRun, type TemplateMark } from './detector.js';
import { interactionFinding, isAboutTeam } from './engagement/interaction-finding.js';
import { interactionSearch, kindsOf, signalsOf } from './engagement/interaction-search.js';
import { externalTo, sidesOf, worksFor, type Sides } from './engagement/sides.js';

const Parameters = Type.Object({
  interactions: Type.Optional(Type.Array(OneOf('comment', 'reaction'))),
  min_comment_length: Type.Optional(Type.Integer()),
  target_group: Type.Optional(OneOf(...TARGET_GROUPS)),
  directions: Type.Optional(Type.Array(OneOf('inbound', 'outbound'))),
  filter_posts: Type.Optional(Type.Boolean()),
  topics: Type.Optional(Type.Array(Type.String())),
});
type Parameters = Static<typeof Parameters>;

const TEMPLATES = (
  [
    ['competitor', 'leadCommentedCompetitorContent', 'leadLikedCompetitorContent'],
    ['competitor', 'networkComment', 'networkReaction'],
    ['competitor', 'competitorInboundComment', 'competitorOutboundComment'],
    ['partner', 'partnerInboundComment', 'partnerOutboundComment'],
    ['customer', 'customerInboundComment', 'customerOutboundComment'],
    ['influencer', 'influencerInboundComment', 'influencerOutboundComment'],
    ['champion', 'championInboundComment', 'championOutboundComment'],
    ['employee', 'leadCommentedOwnContent', 'leadLikedOwnContent'],
  ] as const
).map(([listType, ...signalTypes]): TemplateMark => ({ kind: 'engagement', signalTypes, listType }));

/** Comments and reactions between members of a setup's list and others (2.3). */
export const engagementDetector = detector({
  kind: 'engagement',
  signalTypes: TEMPLATES.flatMap(({ signalTypes }) => signalTypes),
  directions: ['inbound', 'outbound'],
  audiences: ['list_members', 'top_accounts', 'covered_accounts'],
  arrivals: ['comment', 'reaction'],
  templates: TEMPLATES,
  teamOf: (signalTypes, parameters) =>
    signalTypes.some((type) => isInteraction(type) && isAboutTeam(type)) ? titlesOfTeam(parameters) : null,
  parameters: Parameters,
  async search(run) {
    const { direction, parameters, watched } = run;
    const listed = await watched.members();
    const { interactions: wanted = [], directions = [] } = parameters;
    const types = signalsOf(run).filter(
      (type) => wanted.length === 0 || wanted.includes(INTERACTIONS[type].kind),
    );
    if (listed === null || direction === 'single' || types.length === 0) return null;
    if (directions.length > 0 && !directions.includes(direction)) return null;
    const accounts = await watched.accounts();
    const isTheOther = await othersOf(run, listed, accounts);
    const isTracked = trackedIn(run, listed);
    const passes = filterOf(parameters);
    const other = accounts === null ? null : { companyRefs: accounts, personRefs: [] };
    return interactionSearch(
      run,
      { tracked: listed, other, kinds: kindsOf(types) },
      oneByOne((seen: ObservedInteraction) => {
        const sides = sidesOf(direction, seen);
        const type = types.find((known) => INTERACTIONS[known].kind === seen.kind);
        if (sides === null || type === undefined) return null;
        if (!isTracked(sides) || !isTheOther(sides) || !passes(seen)) return null;
        return interactionFinding(type, seen, sides);
      }),
    );
  },
});

const titlesOfTeam = (parameters: JsonObject): readonly string[] =>
  titlesAskedFor(parameters).resolvedTargetPersona ?? titlesOfGroup.all;

/** The people of the list; for watched competitors also their pages, and for a team its titles. */
function trackedIn(
  { signalTypes, targetTitles }: DetectorRun<unknown>,
  listed: Whose,
): (sides: Sides) => boolean {
  const pages = new Set(signalTypes.includes('leadCommentedCompetitorContent') ? listed.companyRefs : []);
  const find = targetTitles === null ? null : keywordMatcher(targetTitles, 'any');
  return ({ tracked }) => {
    if (tracked.entity === 'company') return pages.has(tracked.company.ref);
    return find === null || find(tracked.person.current?.title ?? '').length > 0;
  };
}

/**
 * External people; in a pass, or for a setup about monitored accounts, only those who work for one of these accounts
 * (D-30, D-32).
 */
async function othersOf(
  { signalTypes, watched }: DetectorRun<unknown>,
  listed: Whose,
  accounts: readonly string[] | null,
): Promise<(sides: Sides) => boolean> {
  const isExternal = await externalTo(watched, listed);
  // A competitor can be a top account, too (D-17).
  const mayBeOfListed = signalTypes.includes('competitorInboundComment');
  const isOfAccount = accounts === null ? () => true : worksFor(accounts);
  return (sides) => isOfAccount(sides) && isExternal(sides, mayBeOfListed);
}

function filterOf({
  min_comment_length: shortest = 0,
  filter_posts,
  topics = [],
}: Parameters): (seen: ObservedInteraction) => boolean {
  const wanted = filter_posts === true ? topics : [];
  const find = keywordMatcher(wanted, 'any');
  return ({ kind, text, post }) => {
    if (kind === 'comment' && [...(text ?? '').trim()].length < shortest) return false;
    return wanted.length === 0 || find(post.text ?? '').length > 0;
  };
}
