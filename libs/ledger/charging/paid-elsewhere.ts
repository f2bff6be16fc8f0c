import type { Commands } from '#kernel/commands/commands.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import type { CreditAccount, CurrentOpening } from '#ledger/domain/account-state.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { paidSubjects, paidSubjectsId, placeOf } from '#ledger/domain/paid-subjects.js';
import type { PaidSubject } from '#ledger/domain/paid-subjects.events.js';

type Host = { readonly commands: Pick<Commands, 'load'> };

/** The opening of a ledger, as far as it says what was paid elsewhere. */
export type PaidOpening = Pick<CurrentOpening, 'hash' | 'paid'>;

/** Whose charge or finding it is: what was paid for one agent or setup is paid for no other. */
export type PaidFor = { readonly agentId?: number; readonly setupId?: number };

const READ_AT_ONCE = 32;

/** The opening that names what was paid elsewhere; null where there is none, or it names nothing. */
export function paidOpeningOf({
  openings: { current },
}: Pick<CreditAccount, 'openings'>): PaidOpening | null {
  return current === null || current.paid.count === 0 ? null : { hash: current.hash, paid: current.paid };
}

/**
 * Those of the subjects that were paid in another system, before the workspace came from there (IMP-01). Read from
 * streams, never from a read model: what is paid is not charged.
 */
export async function paidElsewhere(
  host: Host,
  workspaceId: number,
  subjects: readonly string[],
  whose: PaidFor,
): Promise<ReadonlySet<string>> {
  const opening = await host.commands.load(creditAccount, String(workspaceId), paidOpeningOf);
  if (opening === null) return new Set();
  const found = await findPaid(host, workspaceId, opening, subjects);
  return new Set(found.flatMap((each) => (isFor(each, whose) ? [each.subject] : [])));
}

/** What an opening says of these subjects, whosever they are. */
export async function findPaid(
  { commands }: Host,
  workspaceId: number,
  { hash, paid }: PaidOpening,
  subjects: readonly string[],
): Promise<readonly PaidSubject[]> {
  const wanted = new Set(subjects);
  const places = new Set([...wanted].map((subject) => placeOf(subject, paid.streams)));
  const found = await sideBySide([...places], READ_AT_ONCE, (place) =>
    commands.load(paidSubjects, paidSubjectsId(workspaceId, hash, place), ({ staged }) =>
      (staged?.subjects ?? []).filter(({ subject }) => wanted.has(subject)).map((each) => ({ ...each })),
    ),
  );
  return found.flat();
}

/** Whether what was paid was paid for whoever asks. */
export function isFor({ agentId, setupId }: PaidSubject, whose: PaidFor): boolean {
  if (agentId !== undefined) return agentId === whose.agentId;
  return setupId === undefined || setupId === whose.setupId;
}

/** A company as a file names it, and as the network knows it: lower case. */
export type PaidCompany = { readonly domain: string } | { readonly handle: string };

/** The subject of a month that was paid elsewhere: the company and the business unit. */
export const paidMonthSubject = (company: PaidCompany, personaId: number): string =>
  'domain' in company
    ? `monitoring:domain:${company.domain}:${personaId}`
    : `monitoring:handle:${company.handle}:${personaId}`;
