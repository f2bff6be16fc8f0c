import type { CreditAccount, RecurringRule, RecurringRules } from './account-state.js';
import type { CreditPayloads } from './credits.events.js';
import { dueAt } from './recurring-facts.js';

/** The number of ended rules whose keys are remembered. */
export const KEYS_OF_OVER_RULES = 100;

/** Folds the start of a rule. */
export function openRule({ recurring }: CreditAccount, added: CreditPayloads['RecurringGrantAdded']): void {
  recurring.open.set(added.rule, { ...added, passed: 0 });
  recurring.last = added.rule;
}

/** Folds that a grant was given or skipped; after the last grant the rule has ended. */
export function passRule({ recurring }: CreditAccount, ruleId: number): void {
  const rule = recurring.open.get(ruleId);
  if (rule === undefined) throw new Error(`the recurring grant ${ruleId} does not go on`);
  const passed = rule.passed + 1;
  const next = { ...rule, passed };
  if (dueAt(rule, passed) === null) endRule(recurring, next);
  else recurring.open.set(ruleId, next);
}

/** Folds the stop of a rule. */
export function closeRule({ recurring }: CreditAccount, ruleId: number): void {
  const rule = recurring.open.get(ruleId);
  if (rule !== undefined) endRule(recurring, rule);
}

function endRule({ open, over }: RecurringRules, rule: RecurringRule): void {
  open.delete(rule.rule);
  if (rule.key === undefined) return;
  over.set(rule.key, rule);
  const [oldest] = over.keys();
  if (over.size > KEYS_OF_OVER_RULES && oldest !== undefined) over.delete(oldest);
}
