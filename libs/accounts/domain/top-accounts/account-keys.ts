import { sha256Start } from '#kernel/values/hash.js';
import { parseDomain, parseNetworkUrl, type NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { fold } from '#kernel/values/text-folding.js';
import type { SubmittedAccount } from './top-accounts.events.js';

/** The keys of an account (OP-52): the handle of its URL, otherwise its domain; with both, the domain is an alias. */
export type AccountKeys = { readonly key: string; readonly alias: string | null };

export type KeyedAccount = { readonly account: SubmittedAccount; readonly keys: AccountKeys };

const KEY_BYTES = 12;

/**
 * The identifier that an account is looked up by, and for an account with a URL also its domain; null: no identifier.
 */
export function identifiersOf({ networkUrl, domain }: SubmittedAccount): {
  readonly identifier: NetworkIdentifier | null;
  readonly hint: NetworkIdentifier | null;
} {
  const byDomain = domain === null ? null : parseDomain(domain);
  return networkUrl === null
    ? { identifier: byDomain, hint: null }
    : { identifier: parseNetworkUrl(networkUrl), hint: byDomain };
}

/** The keys of an account, shortened; an identifier with invalid syntax counts by its folded text. */
export function keysOfAccount(account: SubmittedAccount): AccountKeys {
  const { networkUrl, domain } = account;
  const { identifier, hint } = identifiersOf(account);
  if (networkUrl === null) return { key: keyOf(identifier, domain ?? ''), alias: null };
  return { key: keyOf(identifier, networkUrl), alias: domain === null ? null : keyOf(hint, domain) };
}

/** The keys under which a company with these names can have been accepted. */
export function keysOfCompany({
  networkHandle,
  domains,
}: {
  readonly networkHandle: string | null;
  readonly domains: readonly string[];
}): readonly string[] {
  const byHandle: readonly NetworkIdentifier[] =
    networkHandle === null ? [] : [{ by: 'handle', handle: networkHandle, entity: 'company' }];
  const byDomain = domains.map((domain): NetworkIdentifier => ({ by: 'domain', domain }));
  return [...byHandle, ...byDomain].map((identifier) => keyOf(identifier, ''));
}

function keyOf(identifier: NetworkIdentifier | null, text: string): string {
  return sha256Start(nameOf(identifier, text), KEY_BYTES);
}

function nameOf(identifier: NetworkIdentifier | null, text: string): string {
  if (identifier === null) return `text:${fold(text)}`;
  if (identifier.by === 'domain') return `domain:${identifier.domain}`;
  return `${identifier.entity ?? 'company'}:${identifier.handle}`;
}

/**
 * Accounts without duplicates, in order, with their keys. Of several with the same keys the first stays, with the
 * tier that was sent last, as if they had been submitted one after the other.
 */
export function distinctAccounts(submitted: readonly SubmittedAccount[]): readonly KeyedAccount[] {
  const distinct = new Map<string, KeyedAccount>();
  for (const account of submitted) {
    const keys = keysOfAccount(account);
    const name = `${keys.key}${keys.alias ?? ''}`;
    const known = distinct.get(name);
    const tier = account.tier ?? known?.account.tier ?? null;
    distinct.set(name, { account: { ...(known?.account ?? account), tier }, keys });
  }
  return [...distinct.values()];
}
