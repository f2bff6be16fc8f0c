import type { Html } from '#http/page.js';
import { shown, type AnswerPart } from '../answer.js';
import { badge } from '../parts.js';

export const STAGES = [
  ['', 'any'],
  ['running', 'running'],
  ['completed', 'completed'],
  ['completed_partial', 'completed in part'],
  ['failed', 'failed'],
] as const;
export const TRIGGERS = [
  ['', 'any'],
  ['manual', 'by hand or API'],
  ['schedule', 'by schedule'],
  ['monitoring', 'by monitoring'],
] as const;

export const wordOf = (words: readonly (readonly [string, string])[], value: string): string =>
  words.find(([known]) => known === value)?.[1] ?? value;

/** The name of a run's agent. */
export const nameOf = (row: AnswerPart): string =>
  shown(row, 'agent_name') === '-' ? `agent ${shown(row, 'agent_id')}, deleted` : shown(row, 'agent_name');

/** The stage of a run, coloured. */
export function stageBadge(row: AnswerPart): Html {
  const stage = shown(row, 'stage');
  const kind = stage === 'completed' ? 'good' : stage === 'running' ? 'plain' : 'bad';
  return badge(kind, wordOf(STAGES, stage));
}
