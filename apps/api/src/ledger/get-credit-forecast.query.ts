import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Commands } from '#kernel/commands/commands.js';
import type { Clock } from '#kernel/ports/clock.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { forecastView, ForecastAnswer, type ForecastView } from '#ledger/answers/forecast.answer.js';
import { foreseeCredits, type MonthsDue } from '#ledger/forecast/foresee-credits.js';
import type { LedgerReader } from '#ledger/history/ledger-reader.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { CLOCK, COMMANDS, LEDGERS, MONTHS_DUE, READ_MODELS } from '../ports.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/credits/forecast',
  summary: 'Forecast the balance of the next 90 days and the day on which it ends',
  description:
    'Today first, days in UTC. `burn` is the use of 24 hours: the greater of the daily means of the ' +
    'captured credits of the last 7 and 28 days, without monitored months. `months` are the monitored ' +
    'months that fall due, at today’s price; `granted` are recurring grants. `balance` are the available ' +
    'credits at the end of the day; negative by the missing credits. `ends_on` is the first day that is not ' +
    'covered or leaves less than one credit, null where there is none, or where a partner or nobody pays.',
  response: DataOf(ForecastAnswer),
})
export class GetCreditForecast extends EndpointQuery<DataOf<ForecastView>> {}

@QueryHandler(GetCreditForecast)
export class GetCreditForecastHandler implements IQueryHandler<GetCreditForecast> {
  constructor(
    @Inject(COMMANDS) readonly commands: Commands,
    @Inject(READ_MODELS) readonly readModels: ReadModels,
    @Inject(LEDGERS) readonly ledgers: LedgerReader,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(MONTHS_DUE) private readonly monthsDue: MonthsDue,
  ) {}

  async execute({ request: { workspaceId } }: GetCreditForecast): Promise<DataOf<ForecastView>> {
    return { data: forecastView(await foreseeCredits(this, this.monthsDue, workspaceId)) };
  }
}
