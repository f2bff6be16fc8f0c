import type { CreditAccount } from './account-state.js';
import type { CreditPayloads } from './credits.events.js';
import { dueAt } from './recurring-facts.js';

/** Folds a rule's beginning. */
export function openRule({ recurring }: CreditAccount, added: CreditPayloads['RecurringGrantAdded']): void {
  recurring.open.set(added.rule, { ...added, passed: 0 });
  recurring.last = added.rule;
}

/** Folds that one of its grants was given or skipped: after the last of them the rule is over. */
export function passRule({ recurring: { open } }: CreditAccount, ruleId: number): void {
  const rule = open.get(ruleId);
  if (rule === undefined) throw new Error(`the recurring grant ${ruleId} does not go on`);
  const passed = rule.passed + 1;
  if (dueAt(rule, passed) === null) open.delete(ruleId);
  else open.set(ruleId, { ...rule, passed });
}

/** Folds that a rule was stopped. */
export function closeRule({ recurring: { open } }: CreditAccount, ruleId: number): void {
  open.delete(ruleId);
}
