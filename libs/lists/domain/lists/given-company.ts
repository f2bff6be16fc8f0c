import { note, type Faults } from '#kernel/values/faults.js';
import { parseDomain } from '#kernel/values/network-identifiers.js';
import type { ListType } from './list.events.js';
import type { MemberRow } from './member-admission.js';

/** The members of the employer that is given with a champion; at least one of them is needed. */
export const EMPLOYER = ['name', 'domain'] as const;

type Sent = { readonly name: string | null; readonly domain: string | null };

/** Reads the employer given with a champion: a blank text counts as not given (MEM-19). Adds the faults. */
export function readGivenCompany(sent: Sent, path: string, faults: Faults): MemberRow['company'] {
  const [name, domain] = [sent.name?.trim() || null, sent.domain?.trim() || null];
  if (name === null && domain === null) note(faults, path, `must have one of ${EMPLOYER.join(', ')}`);
  const parsed = domain === null ? null : parseDomain(domain);
  if (domain !== null && parsed === null) note(faults, `${path}.domain`, 'must be a domain');
  return { name, domain: parsed?.domain ?? null };
}

/** Adds the fault of each row that gives an employer: only rows of a champion list do (MEM-20). */
export function noteStrayCompanies(
  rows: readonly Pick<MemberRow, 'company'>[],
  type: ListType,
  field: string,
  faults: Faults,
): void {
  if (type === 'champion') return;
  rows.forEach(({ company }, index) => {
    if (company !== null) note(faults, `${field}.${index}.company`, 'is only for champion lists');
  });
}
