import { credits, type Credits } from '#kernel/values/credits.js';

/** What one signal of an agent costs in this version; null where nothing has a price. */
type AgentPrice = {
  readonly price: Credits | null;
  /** OP-23: what a signal with a price is called on the bill; null where none has one. */
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

/** Every agent type of the API. `libs/signals/domain/agents/agent-types.ts` says what each does. */
export type AgentType = keyof typeof prices;

/** The prices of all agent types, by type. */
export const AGENT_PRICES: ReadonlyMap<string, AgentPrice> = new Map(Object.entries(prices));
