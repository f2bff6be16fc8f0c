import { ArrayMaxSize, IsBoolean, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { COMPANY_LIST_TYPES, type ListType } from '#lists/domain/lists/list.events.js';
import type { TrackingStatus } from '#lists/domain/lists/member.events.js';
import { DefaultsTo, IsId, IsNullable } from '#http/body.js';
import { MAX_PERSONAS } from './active-personas.js';

/** The fields of a list in the bodies of both paths, without its name (`title` on the older path). */

const CREATABLE_TYPES = [...COMPANY_LIST_TYPES, 'influencer', 'champion'] as const;

/** Members are watched by default (LST-06). */
export const DEFAULT_TRACKING_STATUS = 'followed';

class ListBody {
  @IsOptional()
  @IsNullable()
  @IsString()
  @MaxLength(2000)
  description?: string | null;

  @IsOptional()
  @IsNullable()
  @ArrayMaxSize(MAX_PERSONAS)
  @IsId({ each: true })
  persona_ids?: number[] | null;
}

export class NewListBody extends ListBody {
  @IsIn(CREATABLE_TYPES)
  type: Exclude<ListType, 'employee'>;

  @IsOptional()
  @DefaultsTo(DEFAULT_TRACKING_STATUS)
  @IsIn(['followed', 'unfollowed'])
  default_tracking_status?: TrackingStatus;
}

/** The message for a body without a change; `name` is the field of the list's name on this path. */
export const somethingOf = (name: 'name' | 'title'): string =>
  `Send at least one of ${name}, description, default_tracking_status, archived, persona_ids.`;

export class ListChangeBody extends ListBody {
  @IsOptional()
  @IsIn(['followed', 'unfollowed'])
  default_tracking_status?: TrackingStatus;

  @IsOptional()
  @IsBoolean()
  archived?: boolean;
}
