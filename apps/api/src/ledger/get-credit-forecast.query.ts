import { forecastView, ForecastAnswer, type ForecastView } from '#ledger/answers/forecast.answer.js';
import { foreseeCredits } from '#ledger/forecast/foresee-credits.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../handle.js';

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

handle(GetCreditForecast, async ({ workspaceId }, ports) => ({
  data: forecastView(await foreseeCredits(ports, ports.monthsDue, workspaceId)),
}));
