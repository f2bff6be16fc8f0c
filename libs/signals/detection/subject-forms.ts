import { isInteraction } from '#signals/domain/runs/interaction-facts.js';

/** What stands before the first colon of a subject (D-06), but for interactions, which begin with their signal type. */
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
  // What is paid once for several findings, or is no finding of a run.
  'lead',
  'profile',
]);

/** Whether anything that is found or analysed here could have this subject. */
export function isSubject(text: string): boolean {
  const colon = text.indexOf(':');
  const form = text.slice(0, Math.max(colon, 0));
  return colon < text.length - 1 && (FORMS.has(form) || isInteraction(form));
}

/** The forms as messages name them. */
export const SUBJECT_FORMS = `${[...FORMS].join(':…, ')}:… or <signal type>:… of an interaction`;
