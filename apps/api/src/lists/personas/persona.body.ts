import { ArrayMaxSize, IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsNotBlank, IsNullable } from '#http/body.js';
import { SENIORITIES } from '#kernel/values/seniorities.js';
import { HEADCOUNTS, type PersonaFacts } from '#lists/domain/personas/personas.events.js';

const MAX_ENTRIES = 200;
const MAX_ENTRY_LENGTH = 500;
const MAX_INFO_LENGTH = 20_000;

function IsTexts(): PropertyDecorator {
  const decorators = [
    IsOptional(),
    IsNullable(),
    ArrayMaxSize(MAX_ENTRIES),
    IsNotBlank({ each: true }),
    MaxLength(MAX_ENTRY_LENGTH, { each: true }),
  ];
  return (target, property) => decorators.forEach((decorate) => decorate(target, property));
}

/** The fields of a persona as they are sent: each may be absent, null or a value. */
export class PersonaBody {
  @IsTexts()
  job_title?: string[] | null;

  @IsTexts()
  exclude_job_title?: string[] | null;

  @IsTexts()
  location?: string[] | null;

  @IsOptional()
  @IsNullable()
  @ArrayMaxSize(MAX_ENTRIES)
  @IsIn(HEADCOUNTS, { each: true })
  headcount?: (typeof HEADCOUNTS)[number][] | null;

  @IsTexts()
  industry?: string[] | null;

  @IsOptional()
  @IsNullable()
  @ArrayMaxSize(MAX_ENTRIES)
  @IsIn(SENIORITIES, { each: true })
  seniority?: (typeof SENIORITIES)[number][] | null;

  @IsOptional()
  @IsNullable()
  @IsString()
  @MaxLength(MAX_INFO_LENGTH)
  additional_info?: string | null;

  /** Counted without the white space around it. */
  @IsOptional()
  @IsNullable()
  @IsNotBlank()
  @Matches(/^\s*$|^\s*\S(?:[\s\S]{0,98}\S)?\s*$/u, { message: 'must contain 1 to 100 characters' })
  tag?: string | null;
}

/** The sent fields under the names of the domain; fields that were not sent are absent. */
export function personaFactsOf(body: PersonaBody): Partial<PersonaFacts> {
  const facts = {
    jobTitle: body.job_title,
    excludeJobTitle: body.exclude_job_title,
    location: body.location,
    headcount: body.headcount,
    industry: body.industry,
    seniority: body.seniority,
    additionalInfo: body.additional_info,
    tag: body.tag,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
