import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { DEFAULT_LOOKBACK_DAYS, MAX_LOOKBACK_DAYS } from '#signals/launching/lookback.js';
import { all, DefaultsTo } from '#http/body.js';

/** The number of days before now that are searched. */
export const IsLookbackDays = (): PropertyDecorator =>
  all(IsOptional(), DefaultsTo(DEFAULT_LOOKBACK_DAYS), IsInt(), Min(1), Max(MAX_LOOKBACK_DAYS));
