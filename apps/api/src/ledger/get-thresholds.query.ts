import { ThresholdsAnswer, thresholdsView, type ThresholdsView } from '#ledger/answers/thresholds.answer.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../handle.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/credits/thresholds',
  summary: 'List the thresholds of the balance',
  description:
    'The thresholds of the balance, highest first. `armed` is true if the next crossing is reported. ' +
    '`run_out` is the end of the balance (less than one credit); it is watched from the first time that ' +
    'thresholds are set. Read from the ledger itself.',
  response: DataOf(ThresholdsAnswer),
})
export class GetThresholds extends EndpointQuery<DataOf<ThresholdsView>> {}

handle(GetThresholds, async ({ workspaceId }, { commands }) => ({
  data: await commands.load(creditAccount, String(workspaceId), thresholdsView),
}));
