import type { AgentType } from '#catalogue/domain/prices/agent-prices.js';
import type { JsonObject } from '#kernel/values/json.js';
import { OneOf, Type, type TObject } from '#kernel/values/schema.js';
import type { ListType } from '#lists/domain/lists/list.events.js';

export const TARGET_GROUPS = ['prospects', 'customers', 'all'] as const;

export const DIRECTIONS = ['single', 'inbound', 'outbound'] as const;

/** The possible audiences of a launch. */
export const AUDIENCES = ['network', 'market', 'list_members', 'top_accounts', 'covered_accounts'] as const;

/** The signals that a launch of an agent finds, and its audiences. */
export type AgentDetection = {
  /** The name of the detector: the `kind` in its file. */
  readonly detector: string;
  readonly signalTypes: readonly string[];
  readonly directions: readonly (typeof DIRECTIONS)[number][];
  readonly audiences: readonly (typeof AUDIENCES)[number][];
  /** False if all of its signals are free (D-08). */
  readonly isPriced: boolean;
};

/** One type of agents, with all differences between types. No other code compares the name of a type. */
export type AgentTypeRow = {
  /** The name of an agent that was given no name. */
  readonly label: string;
  /** Its parameters, as the API carries them; an old agent may lack any of them. */
  readonly parameters: TObject;
  /** False if creation takes no parameters, not even those that a change takes. */
  readonly takesParametersAtCreation: boolean;
  /** Parameters that a new agent must have. */
  readonly required: readonly string[];
  /** The type of list that it watches; null: none. */
  readonly list: {
    readonly type: ListType;
    /** True if the agent requires its list: unbound it is `unconfigured`, bound it has its type. */
    readonly givesType: boolean;
  } | null;
  /** Whether it searches for the titles of a target group (OP-34). */
  readonly hasTargetGroup: boolean;
  /** Whether it runs only when it is launched, so that it may have a weekly schedule (OP-38). */
  readonly isSchedulable: (parameters: JsonObject) => boolean;
  /** The detection of a launch; null: it has no detection type. */
  readonly detection: (parameters: JsonObject) => AgentDetection | null;
  /** The detection of its daily pass (D-31); null: it has no pass. */
  readonly pass: (parameters: JsonObject) => AgentDetection | null;
};

export const MODES = ['lead_discovery', 'account_monitoring', 'all'] as const;

const texts = Type.Optional(Type.Array(Type.String()));
const keywords = {
  tracking_keywords: texts,
  max_posts_to_scrape: Type.Optional(Type.Integer({ minimum: 1 })),
};
const keywordsOfPosts = { ...keywords, start_date: Type.Optional(Type.String({ format: 'date' })) };
const narrowed = {
  company_domains_to_scrape: texts,
  target_persona: texts,
  target_persona_locations: texts,
  interested_by: Type.Optional(
    Type.Object({ customers: Type.Optional(Type.Boolean()), prospects: Type.Optional(Type.Boolean()) }),
  ),
  author_roles: texts,
  author_industries: texts,
  target_network_profiles: texts,
};

const never = (): boolean => false;

/** A type with one detection, independent of its parameters, and the same for its daily pass. */
const always = (detection: AgentDetection): Pick<AgentTypeRow, 'detection' | 'pass' | 'isSchedulable'> => ({
  isSchedulable: never,
  detection: () => detection,
  pass: () => detection,
});

/** A type that watches no list. */
const unlisted = {
  takesParametersAtCreation: true,
  required: [],
  list: null,
  hasTargetGroup: false,
} as const;
const searching = { ...unlisted, required: ['tracking_keywords'] } as const;

const ofPosts = {
  detector: 'keyword_post',
  signalTypes: ['keywordDetection'],
  directions: ['single'],
  isPriced: true,
} as const;

const interactionsOf = (type: string): AgentDetection => ({
  detector: 'interactions',
  signalTypes: [`${type}InboundComment`, `${type}OutboundComment`],
  directions: ['inbound', 'outbound'],
  audiences: ['list_members', 'top_accounts'],
  isPriced: false,
});

/** Watches the interactions between a list and the top accounts. */
const watching = (label: string, type: ListType): AgentTypeRow => ({
  label,
  parameters: Type.Object({}),
  takesParametersAtCreation: false,
  required: [],
  list: { type, givesType: true },
  hasTargetGroup: false,
  ...always(interactionsOf(type)),
});

const LEAD_DISCOVERY: AgentDetection = {
  detector: 'interactions',
  signalTypes: [
    'networkComment',
    'networkReaction',
    'leadCommentedCompetitorContent',
    'leadLikedCompetitorContent',
  ],
  directions: ['inbound', 'outbound'],
  audiences: ['list_members'],
  isPriced: true,
};
const ACCOUNT_MONITORING = interactionsOf('competitor');
const BOTH: AgentDetection = {
  ...LEAD_DISCOVERY,
  signalTypes: [...ACCOUNT_MONITORING.signalTypes, ...LEAD_DISCOVERY.signalTypes],
};

const discovers = ({ mode }: JsonObject): boolean => mode === 'lead_discovery' || mode === 'all';

export const agentTypes = {
  keyword_detection: {
    label: 'Keyword detection',
    parameters: Type.Object(keywordsOfPosts),
    ...searching,
    ...always({ ...ofPosts, audiences: ['top_accounts'] }),
  },
  keyword_post_search: {
    label: 'Keyword post search',
    parameters: Type.Object(keywordsOfPosts),
    ...searching,
    isSchedulable: () => true,
    detection: () => ({ ...ofPosts, audiences: ['network'] }),
    pass: () => null,
  },
  job_posting_keyword_detection: {
    label: 'Job posting keyword detection',
    parameters: Type.Object(keywords),
    ...searching,
    ...always({
      detector: 'keyword_job_posting',
      signalTypes: ['jobPostingKeywordDetection'],
      directions: ['single'],
      audiences: ['top_accounts'],
      isPriced: true,
    }),
  },
  job_update: {
    label: 'Job update',
    parameters: Type.Object({
      job_titles: texts,
      seniority_levels: texts,
      keywords_for_social_detection: texts,
      ...narrowed,
    }),
    ...unlisted,
    ...always({
      detector: 'job_update',
      signalTypes: ['newJob', 'recentlyPromoted'],
      directions: ['single'],
      audiences: ['top_accounts'],
      isPriced: false,
    }),
  },
  champion_tracking: {
    label: 'Champion tracking',
    parameters: Type.Object(narrowed),
    takesParametersAtCreation: false,
    required: [],
    list: { type: 'champion', givesType: false },
    hasTargetGroup: false,
    ...always({
      detector: 'champion_tracking',
      signalTypes: ['championJobChange'],
      directions: ['single'],
      audiences: ['list_members'],
      isPriced: false,
    }),
  },
  competitor: {
    label: 'Competitor',
    parameters: Type.Object({
      mode: Type.Optional(OneOf(...MODES)),
      target_group: Type.Optional(OneOf(...TARGET_GROUPS)),
    }),
    takesParametersAtCreation: true,
    required: [],
    list: { type: 'competitor', givesType: true },
    hasTargetGroup: true,
    isSchedulable: discovers,
    detection: (parameters) =>
      parameters['mode'] === 'all' ? BOTH : discovers(parameters) ? LEAD_DISCOVERY : ACCOUNT_MONITORING,
    // Discovery runs only by launch or schedule.
    pass: ({ mode }) => (mode === 'lead_discovery' ? null : ACCOUNT_MONITORING),
  },
  partner: watching('Partner', 'partner'),
  customer: watching('Customer', 'customer'),
  influencer: watching('Influencer', 'influencer'),
  champion: watching('Champion', 'champion'),
  unconfigured: {
    label: 'Unconfigured',
    parameters: Type.Object({}),
    ...unlisted,
    isSchedulable: never,
    detection: () => null,
    pass: () => null,
  },
} as const satisfies { readonly [type in AgentType]: AgentTypeRow };

const isAgentType = (type: string): type is AgentType => Object.hasOwn(agentTypes, type);

/** Every agent type of the API. */
export const AGENT_TYPES = Object.keys(agentTypes).filter(isAgentType);

/** The type of an agent whose type depends on a list, before it is bound and after it is unbound. */
export const WITHOUT_TYPE = 'unconfigured' satisfies AgentType;

/** The row of a type; null if this version does not have the type. */
export const agentTypeOf = (type: string): AgentTypeRow | null =>
  isAgentType(type) ? agentTypes[type] : null;

/** Whether an agent takes a weekly schedule. */
export const isSchedulable = (type: string, parameters: JsonObject): boolean =>
  agentTypeOf(type)?.isSchedulable(parameters) ?? false;

/** Whether a list of this type determines the type of an unconfigured agent. */
export const givesType = (listType: string): boolean => {
  const list = agentTypeOf(listType)?.list;
  return list?.givesType === true && list.type === listType;
};
