import { credits, type Credits } from '#kernel/values/credits.js';

/** The price of one signal of an agent in this version; null without a price. */
type AgentPrice = {
  readonly price: Credits | null;
  /** OP-23: the name of a charged signal on the bill; null if signals have no price. */
  readonly product: string | null;
};

const free: AgentPrice = { price: credits(0), product: null };
const keywordMatch: AgentPrice = { price: credits(10), product: 'keyword_match' };

const prices = {
  keyword_detection: keywordMatch,
  keyword_post_search: keywordMatch,
  job_posting_keyword_detection: keywordMatch,
  job_update: free,
  champion_tracking: free,
  competitor: { price: credits(10), product: 'lead_discovery' },
  partner: free,
  customer: free,
  influencer: free,
  champion: free,
  unconfigured: { price: null, product: null },
} as const satisfies { readonly [type: string]: AgentPrice };

/** Every agent type of the API. `libs/signals/domain/agents/agent-types.ts` describes each. */
export type AgentType = keyof typeof prices;

/** The prices of all agent types, by type. */
export const AGENT_PRICES: ReadonlyMap<string, AgentPrice> = new Map(Object.entries(prices));
