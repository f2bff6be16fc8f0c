import { isJsonObject, type JsonValue } from '#kernel/values/json.js';
import { note, type Faults } from '#kernel/values/faults.js';
import { MOST_ACCOUNTS } from '#accounts/domain/top-accounts/submit-accounts.js';
import {
  TOP_ACCOUNT_TIERS,
  type SubmittedAccount,
} from '#accounts/domain/top-accounts/top-accounts.events.js';
import type { JsonSchema } from '#http/parameters.js';
import { invalidRequest } from '#http/problem.js';

const MAX_IDENTIFIER_LENGTH = 2_048;
/** More messages do not help a reader. */
const MOST_FAULTS = 100;

const identifier = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  maxLength: MAX_IDENTIFIER_LENGTH,
  description,
});

/** At least one of them must name the company of an entry: neither null nor blank. */
const IDENTIFIERS = ['network_url', 'domain'] as const;

/** The JSON Schema of the value that `readAccounts` reads. */
export const ACCOUNT_ROWS: JsonSchema = {
  type: 'array',
  minItems: 1,
  maxItems: MOST_ACCOUNTS,
  items: {
    title: 'AccountRow',
    type: 'object',
    description: `At least one of ${IDENTIFIERS.join(' and ')} is needed`,
    properties: {
      network_url: identifier('Preferred; with or without scheme'),
      domain: identifier('Of the company'),
      tier: { type: 'string', enum: TOP_ACCOUNT_TIERS, description: 'Omitted: unchanged' },
    },
    anyOf: IDENTIFIERS.map((name) => ({
      required: [name],
      properties: { [name]: { type: 'string', pattern: '\\S' } },
    })),
    // answered as sent
    additionalProperties: true,
  },
};

/**
 * The accounts of a request. An entry with a wrong form or without an identifier refuses all of it: 400 naming the
 * entry.
 */
export function readAccounts(rows: JsonValue | undefined): readonly SubmittedAccount[] {
  const faults: Faults = new Map();
  const accounts = readAll(rows, faults);
  if (faults.size > 0) throw invalidRequest('body', 400, faults);
  return accounts;
}

function readAll(rows: JsonValue | undefined, faults: Faults): readonly SubmittedAccount[] {
  const wrong = faultOf(rows);
  if (wrong !== null || !Array.isArray(rows)) {
    note(faults, 'accounts', wrong ?? 'must be an array');
    return [];
  }
  const accounts: SubmittedAccount[] = [];
  for (const [index, row] of rows.entries()) {
    if (faults.size >= MOST_FAULTS) break;
    accounts.push(readAccount(row, `accounts.${index}`, faults));
  }
  return accounts;
}

function faultOf(rows: JsonValue | undefined): string | null {
  if (rows === undefined) return 'is required';
  if (!Array.isArray(rows)) return 'must be an array';
  if (rows.length === 0) return 'must contain at least 1 entry';
  return rows.length > MOST_ACCOUNTS ? `must contain at most ${MOST_ACCOUNTS} entries` : null;
}

function readAccount(row: JsonValue, path: string, faults: Faults): SubmittedAccount {
  const account = { networkUrl: null, domain: null, tier: null };
  if (!isJsonObject(row)) {
    note(faults, path, 'must be an object');
    return account;
  }
  const text = (name: string): string | null => {
    const value = Object.hasOwn(row, name) ? row[name] : null;
    if (value === null || value === undefined) return null;
    if (typeof value !== 'string') note(faults, `${path}.${name}`, 'must be a string');
    else if (isTooLong(value))
      note(faults, `${path}.${name}`, `must contain at most ${MAX_IDENTIFIER_LENGTH} characters`);
    else return value.trim() === '' ? null : value;
    return null;
  };
  const before = faults.size;
  const [networkUrl = null, domain = null] = IDENTIFIERS.map(text);
  if (networkUrl === null && domain === null && faults.size === before)
    note(faults, path, `must have one of ${IDENTIFIERS.join(', ')}`);
  const sent = Object.hasOwn(row, 'tier') ? row['tier'] : undefined;
  const tier = TOP_ACCOUNT_TIERS.find((known) => known === sent) ?? null;
  if (sent !== undefined && tier === null)
    note(faults, `${path}.tier`, `must be one of ${TOP_ACCOUNT_TIERS.join(', ')}`);
  return { networkUrl, domain, tier };
}

/** The length in characters: only a text that could be too long is counted. */
const isTooLong = (text: string): boolean =>
  text.length > MAX_IDENTIFIER_LENGTH && [...text].length > MAX_IDENTIFIER_LENGTH;
