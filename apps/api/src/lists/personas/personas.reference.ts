import { SENIORITIES } from '#kernel/values/seniorities.js';
import { HEADCOUNTS } from '#lists/domain/personas/personas.events.js';
import type { ReferencePart } from '#http/reference.js';

const BODIES = ['PersonaBody', 'ChangePersonaBody', 'ChangeOldestPersonaBody', 'UpsertPersonaBody'];
/** In words, because viewers do not show the schema of the entries of an array that may be null. */
const among = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ');

/** Personas: the people whom a workspace wants to reach. */
export const personas: readonly ReferencePart[] = [
  {
    of: ['Persona', ...BODIES],
    fields: {
      job_title: [
        'Titles that count; a title that contains one of them does.',
        ['VP Sales', 'Head of Sales'],
      ],
      exclude_job_title: ['Excluded titles, even if `job_title` matches.', ['Assistant']],
      location: ['Places that count: countries, regions or cities.', ['France', 'DACH']],
      headcount: [`Sizes of companies that count: ${among(HEADCOUNTS)}.`],
      industry: ['Industries that count.', ['Software']],
      seniority: [`Seniorities that count: ${among(SENIORITIES)}.`],
      additional_info: [
        'Anything else about the persona, at most 20,000 characters.',
        'Buys for several subsidiaries',
      ],
      tag: [
        'Label, unique among the personas of the workspace, 1 to 100 characters; never used for targeting.',
        'enterprise',
      ],
    },
  },
  {
    of: ['ChangePersonaBody'],
    fields: {
      archived: ['Whether the persona is archived: it is in no list of personas and counts nowhere.'],
    },
  },
  {
    of: ['UpsertPersonaBody'],
    fields: {
      persona_id: [
        'The persona to change. Default: the one with the same tag or, without a tag, the oldest; a new one if there is none.',
        3,
      ],
    },
  },
];
