import { parseInstant } from '#kernel/values/instants.js';
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

/** A move ends with its revision. */
const MOVE = /^move:.+:\d{1,16}$/;
/** The analysis of a person ends with its day. */
const PROFILE = /^profile:.+:(\d{4}-\d{2}-\d{2})$/;

/** Whether a finding or an analysis of this service could have this subject. */
export function isSubject(text: string): boolean {
  const colon = text.indexOf(':');
  const form = text.slice(0, Math.max(colon, 0));
  if (colon === text.length - 1 || !(FORMS.has(form) || isInteraction(form))) return false;
  if (form === 'move') return MOVE.test(text);
  return form !== 'profile' || parseInstant(PROFILE.exec(text)?.[1] ?? '') !== null;
}

/** The forms as messages show them. */
export const SUBJECT_FORMS = `${[...FORMS].join(':…, ')}:… or <signal type>:… of an interaction; a move ends with its revision, a profile with its day`;
