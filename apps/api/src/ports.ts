/** Injection tokens of the parts that the composition passes to the api: ports, the ledgers, and a few settings. */
export const COMMANDS = Symbol('Commands');
export const IDS = Symbol('Ids');
export const READ_MODELS = Symbol('ReadModels');
export const PROGRESS = Symbol('ReadModelProgress');
export const CLOCK = Symbol('Clock');
export const NETWORK = Symbol('NetworkSource');
export const NETWORK_DIRECTORY = Symbol('NetworkDirectory');
export const COVERAGE = Symbol('Coverage');
export const RESEARCH_LIMITS = Symbol('ResearchLimits');
export const TOP_ACCOUNTS = Symbol('TopAccounts');
export const LEDGERS = Symbol('LedgerReader');
export const CHARGE_ORIGINS = Symbol('ChargeOrigins');
export const HAS_CAP_SCOPE = Symbol('HasCapScope');
export const MONTHS_DUE = Symbol('MonthsDue');
export const SIGNALS_OF_CHARGES = Symbol('SignalsOfCharges');
export const EVENT_FEED = Symbol('EventFeed');
export const WEBHOOKS = Symbol('WebhookDesk');
export const API_SETTINGS = Symbol('ApiSettings');

export type ApiSettings = {
  /** The base address of the network's own pages, e.g. https://www.network.example. */
  readonly networkBaseUrl: string;
  readonly docsUrl: string;
  /** Signs cursors. */
  readonly cursorSecret: string;
  /** Identity of the log. */
  readonly logId: string;
};
