import { referenceOf } from '#http/reference.js';
import { agents } from './agents.reference.js';
import { companies } from './companies.reference.js';
import { credits } from './credits.reference.js';
import { cursorEnvelope, everywhere } from './everywhere.reference.js';
import { events } from './events.reference.js';
import { lists } from './lists.reference.js';
import { personas } from './personas.reference.js';
import { quotes } from './quotes.reference.js';
import { service } from './service.reference.js';
import { signals } from './signals.reference.js';
import { webhooks } from './webhooks.reference.js';
import { topAccounts } from './top-accounts.reference.js';

/** What every field and parameter of the public API means. */
export const apiReference = referenceOf([
  everywhere,
  cursorEnvelope,
  ...agents,
  ...companies,
  ...credits,
  ...events,
  ...lists,
  ...personas,
  ...quotes,
  ...service,
  ...signals,
  ...topAccounts,
  ...webhooks,
]);
