import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { all, IsNullable } from '#http/body.js';

/** `["essential"]`, the only bucket that can be monitored, or null: none. */
export const IsSignalBuckets = (): PropertyDecorator =>
  all(IsNullable(), IsArray(), ArrayMinSize(1), ArrayMaxSize(1), IsIn(['essential'], { each: true }));
