import type { Commands } from '#kernel/commands/commands.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { CompanyDirectory } from './company-names.js';

/** What claiming needs; processes and operator commands have it. */
export type ClaimHost = {
  readonly commands: Commands;
  readonly ids: Ids;
  readonly directory: CompanyDirectory;
};

/** The same of an operator command, which has the whole network. */
export const claimHostOf = ({
  commands,
  ids,
  network,
}: Omit<ClaimHost, 'directory'> & { readonly network: Pick<ClaimHost, 'directory'> }): ClaimHost => ({
  commands,
  ids,
  directory: network.directory,
});
