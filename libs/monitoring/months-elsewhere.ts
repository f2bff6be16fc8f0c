import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { findPaid, loadPaidOpening, paidMonthSubject } from '#ledger/charging/paid-elsewhere.js';
import {
  companies,
  companyKey,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import type { MonthCharge } from './charge-months.js';

type Host = { readonly commands: Pick<Commands, 'load'>; readonly readModels: ReadModels };

/** Months to be paid, and months that were paid in another system, each with the end of the payment there. */
type Months = { readonly unpaid: readonly MonthCharge[]; readonly paid: readonly MonthCharge[] };

/**
 * Separates the months that an opening names as paid elsewhere (IMP-01). Called after the mark of the ledger was
 * read, so that a concurrently imported opening causes a repetition.
 */
export async function monthsPaidElsewhere(
  host: Host,
  workspaceId: number,
  months: readonly MonthCharge[],
): Promise<Months> {
  const opening = await loadPaidOpening(host, workspaceId);
  if (opening === null) return { unpaid: months, paid: [] };
  const known = await host.readModels.getMany(companies, [
    ...new Set(months.map(({ companyId }) => companyKey(companyId))),
  ]);
  const subjectsOf = ({ companyId, personaId }: MonthCharge): readonly string[] =>
    namesOf(known.get(companyKey(companyId))).map((company) => paidMonthSubject(company, personaId));
  const found = await findPaid(host, workspaceId, opening, months.flatMap(subjectsOf));
  const untilBySubject = new Map(found.map(({ subject, until = '' }) => [subject, until]));
  const unpaid: MonthCharge[] = [];
  const paid: MonthCharge[] = [];
  for (const charge of months) {
    const until = subjectsOf(charge)
      .map((subject) => untilBySubject.get(subject) ?? '')
      .reduce((latest, each) => (each > latest ? each : latest), '');
    const { from } = charge.month;
    if (until <= from) unpaid.push(charge);
    else paid.push({ ...charge, month: { from, until, anchorDay: new Date(until).getUTCDate() } });
  }
  return { unpaid, paid };
}

const namesOf = (company: CompanyDocument | undefined) => {
  const { domain = null, networkHandle = null } = company ?? {};
  return [
    ...(domain === null ? [] : [{ domain }]),
    ...(networkHandle === null ? [] : [{ handle: networkHandle }]),
  ];
};
