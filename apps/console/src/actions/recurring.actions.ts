import { counted } from '#kernel/values/counted.js';
import { formatCredits } from '#kernel/values/credits.js';
import { readPositiveCredits } from '#ops/support/amounts.js';
import { numberOf, partOf, shown, type AnswerPart } from '../answer.js';
import type { Visit } from '../visits.js';
import { idIn, WORKSPACE, type Action, type Given } from './action.js';
import { CREDITS, ledgerPage, PRIORITY, PROMOTIONAL, REASON, withTerms } from './posting-fields.js';
import { rowNamed } from './row-named.js';

/** The recurring grant in the action's fields; an empty row if there is none. */
const grantOf = (visit: Visit, given: Given): Promise<AnswerPart> => {
  const input = { workspace_id: idIn(given, 'workspace_id') };
  const wanted = { command: 'credits.recurring.list', rows: 'recurring', input };
  return rowNamed(visit, wanted, 'rule_id', String(idIn(given, 'rule_id')));
};

export const addRecurring: Action = {
  command: 'credits.recurring.add',
  title: 'Add a recurring grant',
  fields: [
    WORKSPACE,
    { ...CREDITS, label: 'Credits per grant' },
    REASON,
    { name: 'every', label: 'Every', choices: ['day', 'week', 'month'] },
    {
      name: 'from',
      label: 'First on',
      kind: 'date',
      isOptional: true,
      hint: 'At the beginning of this day (UTC); now if empty. With a past day, the grants due since then are made immediately',
    },
    {
      name: 'until',
      label: 'No grant on or after',
      kind: 'date',
      isOptional: true,
      hint: 'In UTC; without end when empty',
    },
    {
      name: 'expires_after',
      label: 'Each expires after',
      isOptional: true,
      hint: 'P30D, P2W or P1M; never when empty',
    },
    PRIORITY,
    PROMOTIONAL,
    {
      name: 'ceiling',
      label: 'Largest free and held credits of these grants',
      isOptional: true,
      hint: 'A grant is reduced to what fits',
    },
    {
      name: 'again',
      label: 'Add although one with the same terms is active',
      choices: ['yes'],
      isOptional: true,
    },
  ],
  from: ledgerPage,
  input: ({ again, ...values }, { key }) => ({
    ...withTerms(values),
    rule_key: key,
    ...(again === 'yes' && { again: true }),
  }),
  async preview(visit, given) {
    const credits = formatCredits(readPositiveCredits(given['credits'] ?? ''));
    if (given['ceiling'] !== undefined) readPositiveCredits(given['ceiling'], 'ceiling');
    const input = { workspace_id: idIn(given, 'workspace_id') };
    const [workspace, listed] = await Promise.all([
      visit.run('workspace.show', input),
      visit.run('credits.recurring.list', input),
    ]);
    const count = numberOf(partOf(listed), 'total');
    const today = visit.now.toISOString().slice(0, 10);
    const isPast = given['from'] !== undefined && given['from'] < today;
    return {
      affects: `1 workspace, ${counted(credits, 'credit')} every ${given['every']}`,
      changes: [
        {
          name: `Recurring grants, ended ones included, of ${shown(partOf(workspace), 'name')}`,
          now: String(count),
          then: String(count + 1),
        },
        {
          name: 'First grant',
          now: '',
          then: isPast
            ? `${given['from']}; the grants due until today are made immediately`
            : (given['from'] ?? 'at once'),
        },
        {
          name: 'Last grant',
          now: '',
          then: given['until'] === undefined ? 'none' : `before ${given['until']}`,
        },
      ],
      button: `Grant ${counted(credits, 'credit')} every ${given['every']}`,
      approved: String(count),
    };
  },
  written: (answer) => ({
    text: `Recurring grant ${shown(answer, 'rule_id')} is added. It is due next at ${shown(answer, 'next_due')}.`,
  }),
};

export const stopRecurring: Action = {
  command: 'credits.recurring.stop',
  title: 'Stop a recurring grant',
  cannotBeUndone: 'Due grants are made first. A stopped recurring grant cannot be resumed.',
  fields: [
    WORKSPACE,
    { name: 'rule_id', label: 'Recurring grant', kind: 'number', isSubject: true },
    { name: 'reason', label: 'Reason', kind: 'long text' },
  ],
  from: ledgerPage,
  async preview(visit, given) {
    const grant = await grantOf(visit, given);
    const status = shown(grant, 'status');
    return {
      affects: '1 recurring grant',
      changes: [
        {
          name: `${counted(shown(grant, 'credits'), 'credit')} every ${shown(grant, 'every')}`,
          now: status,
          then: 'stopped',
        },
        { name: 'Next due (UTC)', now: shown(grant, 'next_due'), then: 'never' },
        { name: 'Granted so far', now: shown(grant, 'given'), then: 'stays' },
      ],
      button: 'Stop the grant',
      ...(status !== 'active' && {
        nothingToDo:
          status === '-' ? 'There is no such grant in this workspace.' : `The grant is already ${status}.`,
      }),
    };
  },
  written: (answer) => ({
    text: `Recurring grant ${shown(answer, 'rule_id')} is stopped.`,
  }),
};
