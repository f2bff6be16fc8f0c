/**
 * The results of comments and reactions, written from the rules of engagement alone (D-09, D-11 to D-17, D-29, D-40
 * to D-44), without regard to speed: over observations as they are ingested.
 */

// Observations are parsed JSON.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Observed = any;

/** The agents and setups of the rules, by what they watch. */
export type NaiveWatch =
  | {
      readonly of: 'agent';
      readonly type: 'competitor';
      readonly mode: 'lead_discovery' | 'account_monitoring' | 'all';
    }
  | { readonly of: 'agent'; readonly type: 'partner' | 'customer' | 'influencer' | 'champion' }
  | {
      readonly of: 'setup';
      readonly template:
        | 'competitor-content-engagement'
        | 'competitor-team-activity'
        | 'competitor-top-account-interactions'
        | 'partner-interactions'
        | 'customer-interactions'
        | 'influencer-engagement'
        | 'champion-interactions'
        | 'own-content-engagement';
    };

export type NaiveRun = {
  readonly now: string;
  readonly lookbackDays: number;
  readonly direction: 'inbound' | 'outbound';
  readonly watch: NaiveWatch;
  readonly parameters: {
    readonly interactions?: readonly ('comment' | 'reaction')[];
    readonly min_comment_length?: number;
    readonly directions?: readonly ('inbound' | 'outbound')[];
    readonly filter_posts?: boolean;
    readonly topics?: readonly string[];
  };
  readonly teamTitles: readonly string[];
  /** Refs of the listed companies or people. */
  readonly listed: readonly string[];
  readonly employees: readonly string[];
  readonly topAccounts: readonly string[];
  readonly covered: readonly string[];
  readonly isPass: boolean;
  /** Titles of the persona; every other condition of it holds. */
  readonly personaTitles: readonly string[] | null;
  readonly surfacedBefore: readonly string[];
};

export type NaiveSignal = {
  readonly subject: string;
  readonly chargeKey: string;
  readonly priced: boolean;
  readonly signalDate: string;
  readonly lead: string;
  readonly company: string | null;
};

const words = (text: string | null | undefined): readonly string[] =>
  (text ?? '').toLowerCase().split(/[^\p{L}\p{N}]+/u);
const contains = (text: string | null | undefined, wanted: string): boolean => {
  const [all, some] = [words(text), words(wanted)];
  return all.some((_, index) => some.every((word, offset) => all[index + offset] === word));
};

/** The final state: the newest revision of each thing; of two equal revisions the first. */
function networkOf(observations: readonly Observed[]) {
  const newest = new Map<string, Observed>();
  for (const observed of observations) {
    const key = `${observed.kind} ${observed.ref}`;
    if ((newest.get(key)?.rev ?? 0) < observed.rev) newest.set(key, observed);
  }
  const get = (kind: string, ref: string): Observed => newest.get(`${kind} ${ref}`);
  const presentOf = (person: Observed): Observed =>
    (person.experiences ?? [])
      .filter((one: Observed) => one.end_date === null)
      .sort((one: Observed, other: Observed) => (one.start_date < other.start_date ? 1 : -1))[0];
  return {
    all: [...newest.values()],
    isPerson: (ref: string): boolean => get('person', ref) !== undefined,
    isCompany: (ref: string): boolean => get('company', ref) !== undefined,
    titleOf: (ref: string): string | undefined => presentOf(get('person', ref))?.title,
    /** Null also when the company is unknown. */
    employerOf(ref: string): string | null {
      const employer = presentOf(get('person', ref))?.company_ref ?? null;
      return get('company', employer) === undefined ? null : employer;
    },
    /** The post under which it stands, through any number of comments; a circle of comments has no post. */
    postOf(observed: Observed): Observed {
      let above = observed.post_ref;
      for (const seen = new Set<string>(); !seen.has(above);) {
        seen.add(above);
        const post = get('post', above);
        if (post !== undefined) return post;
        if (observed.kind === 'reaction') return undefined;
        above = get('comment', above)?.post_ref;
      }
      return undefined;
    },
  };
}

type Half = {
  readonly types: { readonly comment?: string; readonly reaction?: string };
  readonly isDiscovery: boolean;
  readonly isTeam: boolean;
  readonly mayBeOfListed: boolean;
  readonly accounts: readonly string[] | null;
  readonly hasPages: boolean;
};

/** The rows of the tables of setups and agents that a run is about. */
function halvesOf(run: NaiveRun): readonly Half[] {
  const { watch, direction, topAccounts, covered, isPass } = run;
  const inbound = direction === 'inbound';
  const plain = {
    isDiscovery: false,
    isTeam: false,
    mayBeOfListed: false,
    accounts: isPass ? covered : null,
    hasPages: false,
  };
  const between = (name: string) => ({ comment: `${name}${inbound ? 'Inbound' : 'Outbound'}Comment` });
  if (watch.of === 'agent') {
    const monitoring: Half = {
      ...plain,
      types: between(watch.type),
      accounts: topAccounts,
      mayBeOfListed: true,
    };
    if (watch.type !== 'competitor' || watch.mode === 'account_monitoring') return [monitoring];
    const discovery: Half = {
      ...plain,
      types: inbound
        ? { comment: 'leadCommentedCompetitorContent', reaction: 'leadLikedCompetitorContent' }
        : { comment: 'networkComment', reaction: 'networkReaction' },
      isDiscovery: true,
      isTeam: true,
      accounts: null,
    };
    return watch.mode === 'all' ? [monitoring, discovery] : [discovery];
  }
  switch (watch.template) {
    case 'competitor-content-engagement':
      if (!inbound) return [];
      return [
        {
          ...plain,
          types: { comment: 'leadCommentedCompetitorContent', reaction: 'leadLikedCompetitorContent' },
          hasPages: true,
        },
      ];
    case 'own-content-engagement':
      if (!inbound) return [];
      return [{ ...plain, types: { comment: 'leadCommentedOwnContent', reaction: 'leadLikedOwnContent' } }];
    case 'competitor-team-activity':
      if (inbound) return [];
      return [{ ...plain, types: { comment: 'networkComment', reaction: 'networkReaction' }, isTeam: true }];
    case 'competitor-top-account-interactions':
      return [
        {
          ...plain,
          types: between('competitor'),
          accounts: covered.filter((ref) => topAccounts.includes(ref)),
          mayBeOfListed: true,
        },
      ];
    case 'partner-interactions':
    case 'customer-interactions':
    case 'influencer-engagement':
    case 'champion-interactions':
      return [{ ...plain, types: between(watch.template.split('-')[0] ?? '') }];
  }
}

/** The findings of the run, in order. */
export function naiveInteractions(observations: readonly Observed[], run: NaiveRun): readonly NaiveSignal[] {
  const network = networkOf(observations);
  const { parameters, listed, direction } = run;
  const { interactions = [], min_comment_length = 0, directions = [], topics = [] } = parameters;
  if (directions.length > 0 && !directions.includes(direction)) return [];
  const until = Date.parse(run.now);
  const after = until - run.lookbackDays * 86_400_000;
  const dateOf = (observed: Observed): string | undefined => observed.published_at ?? observed.reacted_at;
  const candidates = network.all
    .filter(({ kind }) => kind === 'comment' || kind === 'reaction')
    .filter((observed) => {
      const at = Date.parse(dateOf(observed) ?? '');
      return at > after && at <= until;
    })
    .sort((one, other) => {
      const [oneAt, otherAt] = [Date.parse(dateOf(one) ?? ''), Date.parse(dateOf(other) ?? '')];
      if (oneAt !== otherAt) return oneAt - otherAt;
      if (one.ref !== other.ref) return one.ref < other.ref ? -1 : 1;
      return one.kind === 'comment' ? -1 : 1;
    });
  const worksFor = (ref: string, companies: readonly string[]): boolean =>
    companies.includes(network.employerOf(ref) ?? '-');

  return candidates.flatMap((observed) => {
    const post = network.postOf(observed);
    const [actor, poster] = [observed.author_ref, post?.author_ref];
    if (actor === undefined || poster === undefined || !network.isPerson(actor)) return [];
    const [tracked, other] = direction === 'inbound' ? [poster, actor] : [actor, poster];
    if (!network.isPerson(other)) return [];
    return halvesOf(run).flatMap((half): readonly NaiveSignal[] => {
      const type = half.types[observed.kind as 'comment' | 'reaction'];
      if (type === undefined) return [];
      if (run.watch.of === 'setup') {
        if (interactions.length > 0 && !interactions.includes(observed.kind)) return [];
        if (observed.kind === 'comment' && [...(observed.text ?? '').trim()].length < min_comment_length)
          return [];
        if (parameters.filter_posts === true && topics.length > 0)
          if (!topics.some((topic) => contains(post.text, topic))) return [];
      }
      if (network.isPerson(tracked)) {
        if (!listed.includes(tracked) && !worksFor(tracked, listed)) return [];
        if (half.isTeam && !run.teamTitles.some((title) => contains(network.titleOf(tracked), title)))
          return [];
      } else if (!half.hasPages || !network.isCompany(tracked) || !listed.includes(tracked)) return [];
      // The other side is external.
      const employer = network.employerOf(other);
      if (other === tracked || listed.includes(other) || run.employees.includes(other)) return [];
      if (employer !== null && network.isPerson(tracked) && employer === network.employerOf(tracked))
        return [];
      if (!half.mayBeOfListed && worksFor(other, listed)) return [];
      if (half.accounts !== null && !worksFor(other, half.accounts)) return [];
      const isCovered = run.watch.of === 'setup' && worksFor(other, run.covered);
      const isFirst =
        run.personaTitles === null ||
        isCovered ||
        run.personaTitles.some((title) => contains(network.titleOf(other), title));
      const subject = `${type}:${observed.ref}`;
      return [
        {
          subject,
          chargeKey: half.isDiscovery ? `lead:${other}` : subject,
          priced:
            run.watch.of === 'setup'
              ? isFirst && !isCovered
              : half.isDiscovery && !run.surfacedBefore.includes(other),
          signalDate: new Date(dateOf(observed) ?? '').toISOString(),
          lead: other,
          company: employer,
        },
      ];
    });
  });
}
