import { toJsonNumber } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Id, Nullable, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idQuery } from '#http/parameters.js';
import { monitoringSummary } from '#monitoring/summary.js';
import { handle } from '../handle.js';
import { noActivePersona, unknownBusinessUnit } from './unknown-business-unit.js';

const Count = Type.Integer({ minimum: 0 });
const Credits = Type.Number({ minimum: 0 });

const MonitoringView = Type.Object(
  {
    is_billed: Type.Boolean(),
    price_per_account_credits: Credits,
    monitored_count: Count,
    not_covered_count: Count,
    not_covered_since: Nullable(Timestamp),
    monthly_cost_credits: Credits,
    renewal_shortfall_credits: Count,
    by_business_unit: Type.Array(
      Type.Object(
        {
          persona_id: Id,
          monitored_count: Count,
          not_covered_count: Count,
          monthly_cost_credits: Credits,
        },
        { title: 'BusinessUnitMonitoring' },
      ),
    ),
  },
  { title: 'AccountMonitoring' },
);
type Answer = { readonly data: Immutable<Static<typeof MonitoringView>> };

const query = { persona_id: idQuery(422) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/account-monitoring',
  summary: 'Get a summary of account monitoring',
  description:
    'Counted by account and business unit: an account that is monitored for two of them counts twice and is paid ' +
    'twice. With `persona_id` the totals cover that one; `by_business_unit` always lists all.',
  query,
  response: DataOf(MonitoringView),
  problems: [unknownBusinessUnit],
})
export class GetAccountMonitoring extends EndpointQuery<Answer, { query: typeof query }> {}

handle(GetAccountMonitoring, async ({ workspaceId, query }, { readModels, clock }): Promise<Answer> => {
  const summary = await monitoringSummary(readModels, workspaceId, query.persona_id, clock.now());
  if (summary === null) throw noActivePersona();
  const cost = (monitored: number): number => toJsonNumber(summary.price * BigInt(monitored));
  return {
    data: {
      is_billed: summary.isBilled,
      price_per_account_credits: toJsonNumber(summary.price),
      monitored_count: summary.monitored,
      not_covered_count: summary.notCovered,
      not_covered_since: summary.notCoveredSince,
      monthly_cost_credits: cost(summary.monitored),
      renewal_shortfall_credits: summary.shortfallCredits,
      by_business_unit: summary.byPersona.map((unit) => ({
        persona_id: unit.personaId,
        monitored_count: unit.monitored,
        not_covered_count: unit.notCovered,
        monthly_cost_credits: cost(unit.monitored),
      })),
    },
  };
});
