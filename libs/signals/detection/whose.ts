import type { NetworkDirectory } from '#network/network-directory.port.js';
import type { Whose } from '#network/network-source.port.js';
import type { Watched } from './watched.js';

/**
 * Whose texts a launch reads: those of the members of its list, of the accounts that narrow it, or, with both, of the
 * listed companies that are such accounts and the listed people who work for one. null: everybody's.
 */
export async function whose(
  { members, accounts }: Watched,
  directory: NetworkDirectory,
): Promise<Whose | null> {
  const [listed, narrowed] = await Promise.all([members(), accounts()]);
  if (narrowed === null) return listed;
  if (listed === null) return { companyRefs: narrowed, personRefs: [] };
  const isAccount = new Set(narrowed);
  const people = await directory.people(listed.personRefs);
  return {
    companyRefs: listed.companyRefs.filter((ref) => isAccount.has(ref)),
    personRefs: listed.personRefs.filter((ref) => isAccount.has(people.get(ref)?.current?.companyRef ?? '')),
  };
}
