import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsOptional } from 'class-validator';
import { Type } from '#kernel/values/schema.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import {
  MAX_PICKED_AT_ONCE,
  pickAccounts,
  unknownAccounts,
} from '#accounts/domain/top-accounts/pick-accounts.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { IsId } from '#http/body.js';
import { creditHeaders } from '#http/credit-headers.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { businessUnitsOf } from '#monitoring/business-units.js';
import { reply, type Reply } from '#http/reply.js';
import { admissionProblems, noActivePersona, requireMonitorable } from '#monitoring/admission.js';
import { chargedMonths } from '#monitoring/charged-months.js';
import { startPicked } from '#monitoring/start-monitoring.js';
import {
  topAccountKey,
  topAccounts as accountsView,
} from '#projections/accounts/top-accounts/top-accounts.projection.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import { IsSignalBuckets } from '../signal-buckets.body.js';
import {
  monitoredAccountViews,
  type MonitoredAccountAnswer,
} from '#monitoring/answers/monitored-account-views.js';
import { MonitoredAccountView } from '#monitoring/answers/monitored-account.view.js';

export class PickAccountsBody {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_PICKED_AT_ONCE)
  @ArrayUnique()
  @IsId({ each: true })
  account_ids: number[];

  @IsOptional()
  @IsId()
  persona_id?: number;

  @IsSignalBuckets()
  signal_buckets: 'essential'[] | null;
}

const noBusinessUnit = refusal({
  code: 'no-business-unit',
  kind: 'unprocessable',
  detail: 'The request body is not valid.',
});

type Picked = Reply<{ readonly data: readonly MonitoredAccountAnswer[] }>;

@Endpoint({
  caller: 'apiKey',
  route: 'PUT /api/v3/top-account-list/accounts/signal-buckets',
  summary: 'Monitor a selection of top accounts for one business unit, or stop it',
  description:
    '`persona_id` may be left out where there is one active persona. Null takes back these picks alone: what a list ' +
    'wants for the business unit stays monitored. What is paid is never refunded.',
  body: PickAccountsBody,
  response: Type.Object({ data: Type.Array(MonitoredAccountView) }, { title: 'PickedAccounts' }),
  reportsCredits: 'charged and remaining',
  problems: [unknownAccounts, noBusinessUnit, ...admissionProblems],
})
export class PickAccounts extends EndpointCommand<Picked, { body: PickAccountsBody }> {}

handle(PickAccounts, async ({ workspaceId, body, context }, ports) => {
  const accountIds = body.account_ids;
  const isWanted = body.signal_buckets !== null;
  const personaId = await businessUnit(ports, workspaceId, body.persona_id);
  const prepare = async () => {
    if (isWanted) await requireMonitorable(ports, workspaceId, [personaId]);
    return pickAccounts({ accountIds, personaId, isWanted });
  };
  const chargedFor = await chargedMonths(ports, workspaceId);
  await ports.commands.handle(topAccounts, String(workspaceId), { prepare }, { context });
  await startPicked(ports, { workspaceId, context }, accountIds);
  const found = await ports.readModels.getMany(accountsView, accountIds.map(topAccountKey));
  const accounts = accountIds.flatMap((id) => found.get(topAccountKey(id)) ?? []);
  const companyIds = new Set(accounts.map(({ companyId }) => companyId));
  const data = await monitoredAccountViews(
    ports.readModels,
    ports.directory,
    workspaceId,
    personaId,
    accounts,
  );
  const credits = await chargedFor(companyIds);
  return reply({ data }, { headers: creditHeaders(credits) });
});

/** The named business unit, which must be active, or the only active one. */
async function businessUnit(
  { commands }: ApiPorts,
  workspaceId: number,
  named: number | undefined,
): Promise<number> {
  const active = await businessUnitsOf(commands, workspaceId);
  const [only, ...others] = active;
  if (named !== undefined && active.includes(named)) return named;
  if (named === undefined && only !== undefined && others.length === 0) return only;
  if (named !== undefined) throw noBusinessUnit({ errors: fieldError('persona_id', 'is no active persona') });
  if (only === undefined) throw noActivePersona(fieldError('persona_id', 'is required'));
  throw noBusinessUnit({ errors: fieldError('persona_id', 'is required where there are several personas') });
}
