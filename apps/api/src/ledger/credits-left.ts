import type { Credits } from '#kernel/values/credits.js';
import { availableAt } from '#ledger/domain/books.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import type { ApiPorts } from '../ports.js';

/** The available credits of a workspace, read from its ledger. */
export const creditsLeft = (
  { commands, clock }: Pick<ApiPorts, 'commands' | 'clock'>,
  workspaceId: number,
): Promise<Credits> =>
  commands.load(creditAccount, String(workspaceId), ({ books }) =>
    availableAt(books, clock.now().toISOString()),
  );
