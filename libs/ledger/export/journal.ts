import { fromStored, MICROS_PER_CREDIT, type Credits } from '#kernel/values/credits.js';
import { available, ownAccount } from '#ledger/domain/books.js';
import type { Payer } from '#ledger/domain/credits.events.js';
import type { LedgerSums } from '#ledger/history/ledger-sums.js';
import { statementParts, type StatementEnd, type StatementRow } from '#ledger/history/statement.js';
import type { ExportedLedger } from './exported-ledger.js';

const AVAILABLE = 'Assets:Available';
const HELD = 'Assets:Held';
const LOT_ACCOUNT = /:Lot-\d+$/;
const EPOCH = '1970-01-01';

/**
 * The ledger as a plain-text journal for hledger and ledger: double entry, with every balance of our books asserted
 * after the posting that changed it, so that another program recomputes each balance up to the closing. Amounts come
 * from the entries, assertions from the books. Days are in UTC. Credits that a partner pays have accounts of their
 * own, outside those of the workspace.
 */
export async function* ledgerJournal(ledger: ExportedLedger): AsyncGenerator<string, void, undefined> {
  const { workspaceId, history, range, sums: start } = ledger;
  const period = `from ${range.from ?? 'the first entry'} until before ${range.to ?? 'the end'}`;
  const declare = declarations();
  let day = range.from?.slice(0, 10) ?? EPOCH;
  let sums = start;
  yield `; Credit ledger of workspace ${workspaceId}, ${period} (UTC)\n\n`;
  yield 'commodity CREDIT\n    format 1000.000000 CREDIT\n';
  for await (const part of statementParts(history, range, start)) {
    switch (part.part) {
      case 'opening': {
        sums = part.sums;
        const postings = openingPostings(sums);
        if (postings.length > 0) yield declare(postings) + transaction(day, 'opening', [], postings);
        break;
      }
      case 'row': {
        day = part.row.at.slice(0, 10);
        const postings = rowPostings(part.row, part.amount, new Map(balances(sums)));
        yield declare(postings) + transaction(day, part.row.kind, tagsOf(part.row), postings);
        break;
      }
      case 'end': {
        const postings = balances(part.sums).map(([account, after]) => ({ account, change: 0n, after }));
        yield declare(postings) + transaction(day, 'closing', endTags(part.end), postings);
        break;
      }
    }
  }
}

/** One side of a transaction; `after` is the balance of the account that is asserted after it. */
type Posting = { readonly account: string; readonly change: Credits; readonly after?: Credits };

/** The balances of our books by account: free credits, held credits, and each partner's held credits. */
function balances({ books }: LedgerSums): readonly (readonly [account: string, credits: Credits])[] {
  const partners = [...books.accounts].flatMap(([payer, { held }]) =>
    payer === 'workspace' ? [] : [[partnerAccount(payer, 'Held'), held] as const],
  );
  const lots = [...books.lots.values()];
  const inLots = (pot: 'free' | 'held'): Credits => lots.reduce((sum, lot) => sum + lot[pot], 0n);
  return [
    [AVAILABLE, available(books) - inLots('free')],
    [HELD, ownAccount(books).held - inLots('held')],
    ...lots.flatMap(({ id, free, held }) => [
      [lotAccount(AVAILABLE, id), free] as const,
      [lotAccount(HELD, id), held] as const,
    ]),
    ...partners,
  ];
}

/** Credits of a lot with terms have accounts of their own, below the account of all credits. */
const lotAccount = (account: string, lot: number): string => `${account}:Lot-${lot}`;

function openingPostings(sums: LedgerSums): readonly Posting[] {
  const held = balances(sums).filter(([, credits]) => credits !== 0n);
  if (held.length === 0) return [];
  const total = held.reduce((sum, [, credits]) => sum + credits, 0n);
  const postings = held.map(([account, credits]) => ({ account, change: credits, after: credits }));
  return [...postings, { account: 'Equity:Opening', change: -total }];
}

/** The two sides of a row; `after` are the balances after it. */
function rowPostings(
  { kind, payer, product, lots = [] }: StatementRow,
  amount: Credits,
  after: ReadonlyMap<string, Credits>,
): readonly Posting[] {
  // A closed lot is no longer in our books: its accounts are empty.
  const balanceOf = (account: string): Credits | undefined =>
    after.get(account) ?? (LOT_ACCOUNT.test(account) ? 0n : undefined);
  const parts = lots.map(({ lot, credits }) => ({
    lot,
    amount: amount < 0n ? -fromStored(credits) : fromStored(credits),
  }));
  const plain = parts.reduce((rest, part) => rest - part.amount, amount);
  const side = (account: string, sign: 1n | -1n): readonly Posting[] => {
    const posting = (own: string, credits: Credits): Posting => ({
      account: own,
      change: sign * credits,
      after: balanceOf(own),
    });
    // Only free and held credits are tracked by lot.
    if (account !== AVAILABLE && account !== HELD) return [posting(account, amount)];
    const inLots = parts.map((part) => posting(lotAccount(account, part.lot), part.amount));
    return plain === 0n && inLots.length > 0 ? inLots : [posting(account, plain), ...inLots];
  };
  const move = (from: string, to: string): readonly Posting[] => [...side(to, 1n), ...side(from, -1n)];
  const isOwn = payer === 'workspace';
  const held = isOwn ? HELD : partnerAccount(payer, 'Held');
  const source = isOwn ? AVAILABLE : partnerAccount(payer, 'Cover');
  const spent = isOwn ? 'Expenses:Consumed' : partnerAccount(payer, 'Receivable');
  switch (kind) {
    case 'grant':
      return move('Equity:Granted', AVAILABLE);
    case 'withdrawal':
      return move('Equity:Withdrawn', AVAILABLE);
    case 'adjustment':
      return move('Equity:Adjusted', AVAILABLE);
    case 'import':
    case 'reversal':
      return move('Equity:Imported', AVAILABLE);
    case 'expiry':
      return move('Equity:Expired', AVAILABLE);
    case 'hold':
      return move(source, held);
    case 'release':
      return move(held, source);
    case 'capture':
      return move(held, `${spent}:${encoded(product ?? '', NOT_IN_ACCOUNTS)}`);
  }
}

function partnerAccount(payer: Payer, name: string): string {
  return `Partner:${payer.slice('partner:'.length)}:${name}`;
}

type Tag = readonly [name: string, value: string | number | null | undefined];

function tagsOf({ at, movementId, revision, key, payer, cause, terms, actor }: StatementRow): readonly Tag[] {
  return [
    ['at', at],
    ['movement', movementId],
    ['revision', revision],
    ['payer', payer],
    ['key', key],
    ['reason', cause.reason],
    ['corrects', cause.corrects],
    ['run', cause.shownRunId ?? cause.runId],
    ['setup', cause.setupId],
    ['agent', cause.agentId],
    ['expires', terms?.expiresAt],
    ['priority', terms?.priority],
    ['promotional', terms === undefined ? undefined : terms.promotional ? 'yes' : 'no'],
    ['actor', actor && `${actor.kind}/${actor.id}`],
    ['via', actor?.via],
  ];
}

const endTags = ({ revision, hash }: StatementEnd): readonly Tag[] => [
  ['revision', revision],
  ['hash', hash],
];

function transaction(day: string, what: string, tags: readonly Tag[], postings: readonly Posting[]): string {
  const notes = tags.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`    ; ${name}:${encoded(String(value), NOT_IN_TAGS)}\n`],
  );
  const lines = postings.map(({ account, change, after }) => {
    const assertion = after === undefined ? '' : ` = ${inCredits(after)}`;
    return `    ${account}  ${inCredits(change)}${assertion}\n`;
  });
  return `\n${day} * ${what}\n${notes.join('')}${lines.join('')}`;
}

/** Declares each account before its first use, as strict checks require. */
function declarations(): (postings: readonly Posting[]) => string {
  const declared = new Set<string>();
  return (postings) =>
    postings
      .filter(({ account }) => !declared.has(account) && declared.add(account))
      .map(({ account }) => `\naccount ${account}\n`)
      .join('');
}

function inCredits(amount: Credits): string {
  const size = amount < 0n ? -amount : amount;
  const fraction = (size % MICROS_PER_CREDIT).toString().padStart(6, '0');
  return `${amount < 0n ? '-' : ''}${size / MICROS_PER_CREDIT}.${fraction} CREDIT`;
}

/** Characters that end an account name or nest it. */
const NOT_IN_ACCOUNTS = /[^\p{L}\p{N}._-]/gu;
/** Characters that end a tag, begin another or break the line; a date in brackets would move the posting. */
const NOT_IN_TAGS = /[^\p{L}\p{N} ._:/#@=+-]|:(?=\s|$)|(?<=\s\S*):/gu;

/** Text with unsafe characters as %XX of their UTF-8 bytes, so that different texts stay different. */
function encoded(text: string, unsafe: RegExp): string {
  return text.replace(unsafe, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}
