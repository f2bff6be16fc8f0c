import type { Commands } from '#kernel/commands/commands.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import type { CreditAccount, CurrentOpening } from '#ledger/domain/account-state.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { paidSubjects, paidSubjectsId, placeOf } from '#ledger/domain/paid-subjects.js';
import type { PaidSubject } from '#ledger/domain/paid-subjects.events.js';

type Host = { readonly commands: Pick<Commands, 'load'> };

/** The part of a ledger's opening that names items paid for elsewhere. */
export type PaidOpening = Pick<CurrentOpening, 'hash' | 'paid'>;

/**
 * The agent or setup that a charge or finding belongs to. A payment for one agent or setup does not count for
 * another.
 */
export type PaidFor = { readonly agentId?: number; readonly setupId?: number };

const READ_AT_ONCE = 32;

/** The opening that names subjects paid for elsewhere; null if there is none. */
export function paidOpeningOf({
  openings: { current },
}: Pick<CreditAccount, 'openings'>): PaidOpening | null {
  return current === null || current.paid.count === 0 ? null : { hash: current.hash, paid: current.paid };
}

/** The same, of a workspace. */
export const loadPaidOpening = ({ commands }: Host, workspaceId: number): Promise<PaidOpening | null> =>
  commands.load(creditAccount, String(workspaceId), paidOpeningOf);

/**
 * The subjects that were paid for in another system before the import of the workspace (IMP-01). They are read from
 * streams, never from a read model, because a late read model would charge them again.
 */
export async function paidElsewhere(
  host: Host,
  workspaceId: number,
  subjects: readonly string[],
  whose: PaidFor,
): Promise<ReadonlySet<string>> {
  const opening = await loadPaidOpening(host, workspaceId);
  if (opening === null) return new Set();
  const found = await findPaid(host, workspaceId, opening, subjects);
  return new Set(found.flatMap((each) => (isFor(each, whose) ? [each.subject] : [])));
}

/** The paid subjects of an opening among these, for any agent or setup. */
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

/** Whether the payment counts for this agent or setup. */
export function isFor({ agentId, setupId }: PaidSubject, whose: PaidFor): boolean {
  if (agentId !== undefined) return agentId === whose.agentId;
  return setupId === undefined || setupId === whose.setupId;
}

/** A company as the file and the network name it, in lower case. */
export type PaidCompany = { readonly domain: string } | { readonly handle: string };

/** The subject of a month that was paid for elsewhere: the company and the business unit. */
export const paidMonthSubject = (company: PaidCompany, personaId: number): string =>
  'domain' in company
    ? `monitoring:domain:${company.domain}:${personaId}`
    : `monitoring:handle:${company.handle}:${personaId}`;
