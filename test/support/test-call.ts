import { FIRST_OPERATOR } from '#kernel/values/operators.js';
import type { OperatorCall } from '#ops/support/run-command.js';

/** A call of an operator command by the holder of OPS_TOKEN. */
export const testCall: OperatorCall = { operator: FIRST_OPERATOR, correlationId: 'test' };
