import { ArrayMaxSize, IsArray, IsInt, IsNumber, Max, Min } from 'class-validator';
import { MOST_CREDITS, parseCredits } from '#kernel/values/credits.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { ThresholdsAnswer, thresholdsView, type ThresholdsView } from '#ledger/answers/thresholds.answer.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { MOST_THRESHOLDS } from '#ledger/domain/credits.events.js';
import { setThresholds } from '#ledger/domain/set-thresholds.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../handle.js';

/** The range of the forecast in days. */
const MOST_DAYS = 90;

export class ThresholdsBody {
  @IsArray()
  @ArrayMaxSize(MOST_THRESHOLDS)
  @IsNumber({ allowNaN: false, allowInfinity: false }, { each: true })
  @Min(1, { each: true })
  @Max(MOST_CREDITS, { each: true })
  credits: number[];

  @IsArray()
  @ArrayMaxSize(MOST_THRESHOLDS)
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(MOST_DAYS, { each: true })
  days: number[];
}

const invalidThreshold = refusal({
  code: 'invalid-threshold',
  kind: 'unprocessable',
  detail: 'The thresholds are not valid.',
});

@Endpoint({
  caller: 'apiKey',
  route: 'PUT /api/v3/credits/thresholds',
  summary: 'Replace the thresholds of the balance',
  description:
    'At most 10 thresholds in credits and 10 in days until the forecast end of the balance. `credits.low` ' +
    'is sent once when the balance falls to a threshold, and again after a grant or a positive adjustment ' +
    'raised the balance above it. A threshold at or above the present balance waits for such a grant. ' +
    'Thresholds in days are checked every hour. `credits.run_out` is sent from the first request on.',
  body: ThresholdsBody,
  response: DataOf(ThresholdsAnswer),
  problems: [invalidThreshold],
})
export class SetThresholds extends EndpointCommand<DataOf<ThresholdsView>, { body: ThresholdsBody }> {}

handle(SetThresholds, async ({ workspaceId, body, context }, { commands }) => {
  const credits = body.credits.map((threshold) => {
    const parsed = parseCredits(threshold);
    if (parsed === null)
      throw invalidThreshold({ errors: fieldError('credits', 'must have at most six decimals') });
    return parsed;
  });
  const decision = setThresholds({ credits, days: body.days });
  const { answer } = await commands.handle(creditAccount, String(workspaceId), decision, {
    context,
    answer: thresholdsView,
  });
  return { data: answer };
});
