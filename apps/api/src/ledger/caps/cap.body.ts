import { IsIn, IsNumber, IsOptional, Max, Min } from 'class-validator';
import { MOST_CREDITS, parseCredits } from '#kernel/values/credits.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import type { CapAnswer } from '#ledger/answers/cap.answer.js';
import { scopeNamed } from '#ledger/charging/change-caps.js';
import type { WantedCap } from '#ledger/domain/set-caps.js';
import { IsId, IsNullable } from '#http/body.js';
import { idParam } from '#http/parameters.js';

/** Path parameters of a cap. */
export const capPath = { cap_id: idParam(400) };

export class CapBody {
  @IsIn(['workspace', 'signal_setup', 'agent', 'api_key'])
  scope: CapAnswer['scope'];

  @IsOptional()
  @IsNullable()
  @IsId()
  scope_id?: number | null;

  @IsIn(['day', 'week', 'month'])
  period: CapAnswer['period'];

  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  @Max(MOST_CREDITS)
  limit: number;
}

export const invalidCap = refusal({
  code: 'invalid-cap',
  kind: 'unprocessable',
  detail: 'The cap is not valid.',
});

/** The cap that a body describes. Throws `invalidCap` with the field name. */
export function wantedCap(capId: number, body: CapBody): WantedCap {
  const scope = scopeNamed(body.scope);
  const scopeId = body.scope_id ?? null;
  if (scope === 'workspace' && scopeId !== null)
    throw invalidCap({ errors: fieldError('scope_id', 'must be null where the scope is the workspace') });
  if (scope !== 'workspace' && scopeId === null)
    throw invalidCap({ errors: fieldError('scope_id', `must be the id of the ${body.scope}`) });
  const limit = parseCredits(body.limit);
  if (limit === null) throw invalidCap({ errors: fieldError('limit', 'must have at most six decimals') });
  return { capId, scope, scopeId, period: body.period, limit };
}
