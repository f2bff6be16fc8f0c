import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { companies, companyKey, type CompanyDocument } from '#projections/companies/companies.projection.js';
import {
  knownHereBy,
  listedCompanies,
  listedKeysOf,
  listsOf,
  type ListedCompanyDocument,
} from '#projections/listed-companies/listed-companies.projection.js';
import { lists, type ListDocument } from '#projections/lists/lists.projection.js';
import {
  reachedCompanies,
  reachedCompanyKey,
  type ReachedCompanyDocument,
} from '#projections/reached-companies/reached-companies.projection.js';

const KEY_LIST_TYPES: readonly string[] = ['customer', 'prospect'];
/** Companies, or handles and domains, read in one go: a few milliseconds. */
const PAGE = 500;

type Reach = { readonly workspaceId: number; readonly setupId: number; readonly start: string };
type Listed = ReadonlyMap<string, ListedCompanyDocument>;
/** Companies that were reached, and how those of them are listed that are. */
type Page = { readonly reached: readonly CompanyDocument[]; readonly listed: Listed };

/**
 * How many of the companies that a setup reached since `start` are on a customer or prospect list that is in use
 * now (OP-20, OP-48). It goes through what was reached or through what is listed, whichever is less.
 */
export async function countKeyAccounts(
  readModels: ReadModels,
  workspaceId: number,
  setupId: number,
  start: string,
): Promise<number> {
  const keyLists = await keyListsOf(readModels, workspaceId);
  if (keyLists.size === 0) return 0;
  const reach = { workspaceId, setupId, start };
  const [reachedCount, listedCount] = await Promise.all([
    readModels.count(reachedCompanies, { where: reachedSince(reach) }),
    readModels.count(listedCompanies, { where: { workspaceId } }),
  ]);
  const pages =
    reachedCount < listedCount
      ? throughReached(readModels, reach)
      : throughListed(readModels, reach, keyLists);
  const keyAccounts = new Set<number>();
  for await (const { reached, listed } of pages) {
    for (const company of reached) {
      const listIds = listedKeysOf(workspaceId, company).flatMap((key) => {
        const known = listed.get(key);
        return known === undefined ? [] : listsOf(known, company);
      });
      if (listIds.some((listId) => keyLists.has(listId))) keyAccounts.add(company.id);
    }
  }
  return keyAccounts.size;
}

async function keyListsOf(readModels: ReadModels, workspaceId: number): Promise<ReadonlySet<number>> {
  const inUse = await readModels.find<ListDocument>(lists, {
    where: { workspaceId, deleted: false, archived: false },
    sort: [['id', 'asc']],
  });
  return new Set(
    inUse
      .filter(({ type, member_count }) => KEY_LIST_TYPES.includes(type) && member_count > 0)
      .map(({ id }) => id),
  );
}

const reachedSince = ({ workspaceId, setupId, start }: Reach) => ({
  workspaceId,
  setupId,
  lastDetectedAt: { gte: start },
});

async function* throughReached(readModels: ReadModels, reach: Reach): AsyncGenerator<Page> {
  for (let after: readonly [string, number] | null = null; ;) {
    const page: readonly ReachedCompanyDocument[] = await readModels.find<ReachedCompanyDocument>(
      reachedCompanies,
      {
        where: reachedSince(reach),
        sort: [
          ['lastDetectedAt', 'asc'],
          ['companyId', 'asc'],
        ],
        ...(after === null ? {} : { after }),
        limit: PAGE,
      },
    );
    const keys = page.map(({ companyId }) => companyKey(companyId));
    const reached = [...(await readModels.getMany<CompanyDocument>(companies, keys)).values()];
    const listedKeys = reached.flatMap((company) => listedKeysOf(reach.workspaceId, company));
    yield { reached, listed: await readModels.getMany<ListedCompanyDocument>(listedCompanies, listedKeys) };
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = [last.lastDetectedAt, last.companyId];
  }
}

async function* throughListed(
  readModels: ReadModels,
  reach: Reach,
  keyLists: ReadonlySet<number>,
): AsyncGenerator<Page> {
  const { workspaceId } = reach;
  for (let after: readonly [string] | null = null; ;) {
    const page: readonly ListedCompanyDocument[] = await readModels.find<ListedCompanyDocument>(
      listedCompanies,
      {
        where: { workspaceId },
        sort: [['identity', 'asc']],
        ...(after === null ? {} : { after }),
        limit: PAGE,
      },
    );
    const listed = page.filter(({ memberships }) => memberships.some(({ listId }) => keyLists.has(listId)));
    const reached = await reachedOf(
      readModels,
      reach,
      await companiesKnownBy(readModels, workspaceId, listed),
    );
    yield { reached, listed: new Map(listed.map((one) => [one.identity, one])) };
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = [last.identity];
  }
}

/** Ids of the companies that the workspace knows by these handles and domains, read off their indexes. */
async function companiesKnownBy(
  readModels: ReadModels,
  workspaceId: number,
  listed: readonly ListedCompanyDocument[],
): Promise<readonly number[]> {
  const known = listed.map(knownHereBy);
  const found = await Promise.all(
    (['networkHandle', 'domain'] as const).map((field) => {
      const values = known.flatMap((by) => by[field] ?? []);
      if (values.length === 0) return [];
      const where = { workspaceId, [field]: { in: values } };
      return readModels.groups(companies, { where }, { by: [field, 'id'] });
    }),
  );
  return [...new Set(found.flat().map(({ by: [, id] }) => Number(id)))];
}

/** Those of these companies that the setup reached. */
async function reachedOf(
  readModels: ReadModels,
  { workspaceId, setupId, start }: Reach,
  companyIds: readonly number[],
): Promise<readonly CompanyDocument[]> {
  if (companyIds.length === 0) return [];
  const keys = companyIds.map((companyId) => reachedCompanyKey(workspaceId, setupId, companyId));
  const found = await readModels.getMany<ReachedCompanyDocument>(reachedCompanies, keys);
  const reached = [...found.values()].filter(({ lastDetectedAt }) => lastDetectedAt >= start);
  if (reached.length === 0) return [];
  const known = await readModels.getMany<CompanyDocument>(
    companies,
    reached.map(({ companyId }) => companyKey(companyId)),
  );
  return [...known.values()];
}
