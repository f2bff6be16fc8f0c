import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsIn,
  IsInt,
  IsOptional,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { SIGNAL_TYPES } from '#signals/domain/runs/signal-types.js';
import { all, DefaultsTo, IsAnyJson, IsId, IsInstant, IsNotBlank } from '#http/body.js';

const MOST_VALUES = 1_000;
const LONGEST_TEXT = 2_000;
const LONGEST_CURSOR = 4_096;

/** A filter with a list of texts: any of them matches. */
const Texts = () =>
  all(
    IsOptional(),
    ArrayNotEmpty(),
    ArrayMaxSize(MOST_VALUES),
    IsNotBlank({ each: true }),
    MaxLength(LONGEST_TEXT, { each: true }),
  );

const CursorText = () => all(IsOptional(), IsNotBlank(), MaxLength(LONGEST_CURSOR));
/** The default number of rows of a page. */
export const DEFAULT_LIMIT = 25;
const PageLimit = () => all(IsOptional(), DefaultsTo(DEFAULT_LIMIT), IsInt(), Min(1), Max(100));
const SignalTypes = () => all(IsOptional(), ArrayNotEmpty(), IsIn(SIGNAL_TYPES, { each: true }));
type SignalType = (typeof SIGNAL_TYPES)[number];

export class CityBody {
  @IsNotBlank()
  @MaxLength(LONGEST_TEXT)
  name: string;

  @IsNotBlank()
  @MaxLength(LONGEST_TEXT)
  country: string;
}

/** Filters of all signal queries. */
export class SignalFilterBody {
  @IsOptional()
  @IsInstant()
  signal_start_date?: string;

  @IsOptional()
  @IsInstant()
  signal_end_date?: string;

  @IsOptional()
  @IsInstant()
  detection_start_date?: string;

  @IsOptional()
  @IsInstant()
  detection_end_date?: string;

  @IsOptional()
  @IsId()
  signal_run_id?: number;

  @IsOptional()
  @IsId()
  company_id?: number;

  @IsOptional()
  @IsId()
  lead_id?: number;

  @Texts()
  countries?: string[];

  @IsOptional()
  @ArrayNotEmpty()
  @ArrayMaxSize(MOST_VALUES)
  @ValidateNested({ each: true })
  @Type(() => CityBody)
  cities?: CityBody[];
}

/** Filters of v2, where companies are those of the top account list. */
export class SignalFilterBodyV2 extends SignalFilterBody {
  @IsOptional()
  @IsId()
  agent_id?: number;

  @Texts()
  company_domain?: string[];

  @Texts()
  company_network_handle?: string[];

  @Texts()
  company_network_url?: string[];
}

export class QuerySignalsBody extends SignalFilterBodyV2 {
  @CursorText()
  cursor?: string;

  @PageLimit()
  limit?: number;

  @SignalTypes()
  type?: SignalType[];
}

export class CountSignalsBody extends SignalFilterBodyV2 {
  /** Declared so that it is refused by name (OP-40). */
  @IsOptional()
  @IsAnyJson({ not: {}, description: 'No filter of the count: refused' })
  type?: unknown;
}

export class QuerySignalsV3Body extends SignalFilterBody {
  @CursorText()
  cursor?: string;

  @PageLimit()
  limit?: number;

  @SignalTypes()
  type?: SignalType[];

  @IsOptional()
  @IsId()
  signal_setup_id?: number;

  @Texts()
  signal_template_key?: string[];
}

/** The filters as plain JSON: a cursor is bound to them. */
export function plainFilters<Filters extends { readonly cities?: readonly CityBody[] }>(filters: Filters) {
  const { cities, ...scalars } = filters;
  return { ...scalars, ...(cities && { cities: cities.map(({ name, country }) => ({ name, country })) }) };
}
