import { isInteraction } from '#signals/domain/runs/interaction-facts.js';

/**
 * The part of a subject before the first colon (D-06), except for interactions, which begin with their signal type.
 */
const FORMS: ReadonlySet<string> = new Set([
  'post',
  'job_posting',
  'insight',
  'move',
  'baseline',
  'headcount_growth',
  'headcount_decline',
  'company_event',
  'renewal',
  'research',
  // Charge keys of several findings, or subjects that no run reports.
  'lead',
  'profile',
]);

/** Subjects that end with more than a ref: the revision of a move, and the day of an analysis. */
const ENDS: ReadonlyMap<string, RegExp> = new Map([
  ['move', /^move:.+:\d{1,16}$/],
  ['profile', /^profile:.+:(?<day>\d{4}-\d{2}-\d{2})$/],
]);

/** Whether a finding or an analysis of this service could have this subject. */
export function isSubject(text: string): boolean {
  const colon = text.indexOf(':');
  const form = text.slice(0, Math.max(colon, 0));
  if (colon === text.length - 1 || !(FORMS.has(form) || isInteraction(form))) return false;
  const end = ENDS.get(form)?.exec(text);
  return end === undefined || (end !== null && isDay(end.groups?.['day'] ?? '2000-01-01'));
}

const isDay = (text: string): boolean => new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

/** The forms as messages show them. */
export const SUBJECT_FORMS = `${[...FORMS].join(':…, ')}:… or <signal type>:… of an interaction; a move ends with its revision, a profile with its day`;
