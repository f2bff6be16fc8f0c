import { contextOfStep, workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { Id, Nullable, Type, type Static } from '#kernel/values/schema.js';
import { isJsonObject, type JsonValue } from '#kernel/values/json.js';
import { inPiecesOfBytes } from '#kernel/values/pieces.js';
import { personaIncomplete } from '#lists/domain/personas/persona-choice.js';
import { distinctAccounts, type KeyedAccount } from '#accounts/domain/top-accounts/account-keys.js';
import {
  MOST_ACCOUNTS_OF_CHUNK,
  MOST_BYTES_OF_CHUNK,
} from '#accounts/domain/top-accounts/submission.events.js';
import { submission, writeChunk } from '#accounts/domain/top-accounts/submission.js';
import {
  requireQuota,
  returnableBy,
  submitAccounts,
  topAccountQuotaExceeded,
  warningsOf,
} from '#accounts/domain/top-accounts/submit-accounts.js';
import { TopAccountTier } from '#accounts/domain/top-accounts/top-accounts.events.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { workspaceState } from '#accounts/workspace-state.js';
import { IsAnyJson } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import { ACCOUNT_ROWS, readAccounts } from './account-rows.js';
import { countriesOfPersonas } from './countries-of-personas.js';
import { returningAccounts } from './returning-accounts.js';

/** Ten thousand accounts with long URLs must reach the validation. */
const BODY_LIMIT_BYTES = 12 * 1024 * 1024;

export class SubmitAccountsBody {
  /** Each names a company by `network_url` or `domain`. */
  @IsAnyJson(ACCOUNT_ROWS)
  accounts: JsonValue;
}

/** An account as it was sent, with all additional members. */
const SubmittedView = Type.Object(
  {
    network_url: Type.Optional(Nullable(Type.String())),
    domain: Type.Optional(Nullable(Type.String())),
    tier: Type.Optional(TopAccountTier),
  },
  { title: 'SubmittedAccount', additionalProperties: true },
);

const AcceptedAccounts = Type.Object(
  {
    tal_id: Id,
    accounts: Type.Array(SubmittedView),
    message: Type.String(),
    warnings: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  },
  { title: 'AcceptedAccounts' },
);

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/top-account-list/accounts',
  summary: 'Add accounts to the top account list',
  description:
    'Answers when the accounts are accepted: they are looked up, mapped and charged afterwards. Accounts ' +
    'that are already on the list are skipped, except for a new `tier`. The ingestion status shows the ' +
    'progress.',
  status: 202,
  body: SubmitAccountsBody,
  invalidBody: 400,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  response: AcceptedAccounts,
  problems: [personaIncomplete, topAccountQuotaExceeded],
})
export class SubmitAccounts extends EndpointCommand<
  Static<typeof AcceptedAccounts>,
  { body: SubmitAccountsBody }
> {}

function messageOf(count: number): string {
  const accepted = count === 1 ? '1 account accepted; it is' : `${count} accounts accepted; they are`;
  return `${accepted} being added to your top account list.`;
}

handle(SubmitAccounts, async ({ workspaceId, body, context }, ports) => {
  const submitted = readAccounts(body.accounts);
  const stream = String(workspaceId);
  let returning = 0;
  const prepare = async () => {
    const countries = await countriesOfPersonas(ports.commands, ports.directory, workspaceId);
    if (countries.length === 0) throw personaIncomplete({ detail: NO_COUNTRY });
    const { trialQuota: quota } = await workspaceState(ports.commands, workspaceId);
    const distinct = distinctAccounts(submitted);
    const accounts = distinct.map(({ keys }) => keys);
    // The quota is checked before anything is written; of concurrent requests the append decides.
    const returnable = await ports.commands.load(topAccounts, stream, (state) => {
      requireQuota(state, accounts, quota);
      return returnableBy(state, accounts);
    });
    returning = await returningAccounts(ports.readModels, returnable);
    const submissionId = context.commandId;
    return submitAccounts({
      submissionId,
      submitted: submitted.length,
      accounts,
      chunks: await writeChunks(ports, workspaceId, submissionId, distinct, context),
      quota,
      countries: [...countries],
      submittedAt: ports.clock.now().toISOString(),
    });
  };
  const { answer } = await ports.commands.handle(
    topAccounts,
    stream,
    { prepare },
    {
      context,
      answer: ({ topAccountListId, accounts, submissions }) => ({
        topAccountListId,
        warnings: warningsOf({ accounts, submissions }, returning),
      }),
    },
  );
  const { topAccountListId, warnings } = answer;
  if (topAccountListId === null) throw new Error(`workspace ${workspaceId} has no top account list`);
  return {
    tal_id: topAccountListId,
    accounts: Array.isArray(body.accounts) ? body.accounts.filter(isJsonObject) : [],
    message: messageOf(submitted.length),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
});

/** Writes the accounts before anything counts them; returns the number of chunks. */
async function writeChunks(
  { commands }: ApiPorts,
  workspaceId: number,
  submissionId: string,
  distinct: readonly KeyedAccount[],
  context: CommandContext,
): Promise<number> {
  const accounts = distinct.map(({ account }) => account);
  const chunks = inPiecesOfBytes(accounts, MOST_ACCOUNTS_OF_CHUNK, MOST_BYTES_OF_CHUNK);
  for (const [chunk, piece] of chunks.entries()) {
    await commands.handle(
      submission,
      workspaceScoped(workspaceId, submissionId),
      writeChunk({ submissionId, chunk, accounts: piece }),
      {
        context: contextOfStep(context, `chunk:${chunk}`),
        waitForReadModels: false,
      },
    );
  }
  return chunks.length;
}

const NO_COUNTRY =
  'No active persona has a location that leads to a country: give one a location such as France or Berlin.';
