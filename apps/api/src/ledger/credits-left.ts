import type { Commands } from '#kernel/commands/commands.js';
import type { Credits } from '#kernel/values/credits.js';
import { available } from '#ledger/domain/books.js';
import { creditAccount } from '#ledger/domain/credit-account.js';

/** The available credits of a workspace, read from its ledger. */
export const creditsLeft = (commands: Commands, workspaceId: number): Promise<Credits> =>
  commands.load(creditAccount, String(workspaceId), ({ books }) => available(books));
