import { counted } from '#kernel/values/counted.js';
import { formatCredits } from '#kernel/values/credits.js';
import { readLimit } from '#ops/support/amounts.js';
import { cells, rowsOf, shown, type AnswerPart } from '../answer.js';
import { SCOPE_WORDS, scopeWords } from '../parts.js';
import type { Visit } from '../visits.js';
import { idIn, WORKSPACE, type Action, type Given } from './action.js';
import { ledgerPage } from './posting-fields.js';

const CAP = { name: 'cap_id', label: 'Cap', kind: 'number', isSubject: true } as const;

const capsOf = async ({ run }: Visit, given: Given): Promise<readonly AnswerPart[]> =>
  rowsOf(await run('caps.list', { workspace_id: idIn(given, 'workspace_id') }), 'caps');

const capIn = (caps: readonly AnswerPart[], given: Given): AnswerPart | undefined =>
  caps.find((cap) => shown(cap, 'id') === String(idIn(given, 'cap_id')));

/** The approved state of the caps: a form that is submitted twice finds another state and changes nothing. */
const stateOf = (caps: readonly AnswerPart[]): string =>
  caps.map((cap) => cells(cap, 'id', 'period', 'limit').join(' ')).join(', ');

/** Whether the form changes the limit alone. */
const isSameThing = (cap: AnswerPart, given: Given): boolean =>
  shown(cap, 'scope') === given['scope'] &&
  shown(cap, 'scope_id') === (given['scope_id'] ?? '-') &&
  shown(cap, 'period') === given['period'];

const nameOf = (cap: AnswerPart): string =>
  `Cap ${shown(cap, 'id')}, ${scopeWords(shown(cap, 'scope'), shown(cap, 'scope_id'))} by ${shown(cap, 'period')}`;

export const setCap: Action = {
  command: 'caps.set',
  title: 'Set a cap on the spending',
  fields: [
    WORKSPACE,
    { ...CAP, isOptional: true },
    { name: 'scope', label: 'Scope', choices: Object.keys(SCOPE_WORDS) },
    {
      name: 'scope_id',
      label: 'Id of the signal setup, agent or API key',
      kind: 'number',
      isOptional: true,
      hint: 'Empty for the whole workspace',
    },
    { name: 'period', label: 'Period', choices: ['day', 'week', 'month'], hint: 'In UTC' },
    { name: 'limit', label: 'Credits at most', hint: 'At most six decimals; 0 stops new holds' },
  ],
  from: ledgerPage,
  input: (values, { key }) => ({ ...values, set_key: key }),
  async preview(visit, given) {
    const limit = formatCredits(readLimit(given['limit'] ?? '', 'limit'));
    const caps = await capsOf(visit, given);
    const replaced = given['cap_id'] === undefined ? {} : capIn(caps, given);
    const wanted = `${scopeWords(given['scope'] ?? '', given['scope_id'] ?? '-')} by ${given['period']}`;
    const isNew = given['cap_id'] === undefined;
    return {
      affects: '1 workspace, 1 cap',
      changes: [
        {
          name: replaced === undefined || isNew ? `Credits held at most, ${wanted}` : nameOf(replaced),
          now: isNew ? 'no cap of this form' : shown(replaced ?? {}, 'limit'),
          then: isNew ? limit : `${limit}, ${wanted}`,
        },
        ...(isNew
          ? [{ name: 'Counted', now: '', then: 'the whole current period, and later ones' }]
          : [
              {
                name: 'Spent in the current period',
                now: shown(replaced ?? {}, 'spent'),
                then: isSameThing(replaced ?? {}, given) ? 'counts on' : 'counted anew for the whole period',
              },
            ]),
      ],
      button: `Set the cap to ${counted(limit, 'credit')}`,
      approved: stateOf(caps),
      ...(replaced === undefined && { nothingToDo: 'There is no such cap in this workspace.' }),
    };
  },
  written: (answer) => ({
    text: `Cap ${shown(answer, 'id')} is set: at most ${counted(shown(answer, 'limit'), 'credit')} a ${shown(answer, 'period')}.`,
  }),
};

export const removeCap: Action = {
  command: 'caps.remove',
  title: 'Remove a cap',
  cannotBeUndone: 'Until another cap is set, this spending is not limited. Another cap has another id.',
  fields: [WORKSPACE, CAP],
  from: ledgerPage,
  async preview(visit, given) {
    const caps = await capsOf(visit, given);
    const cap = capIn(caps, given);
    return {
      affects: '1 workspace, 1 cap',
      changes:
        cap === undefined
          ? []
          : [
              {
                name: nameOf(cap),
                now: `${counted(shown(cap, 'limit'), 'credit')} at most`,
                then: 'removed',
              },
              { name: 'Set by', now: shown(cap, 'set_by'), then: '' },
            ],
      button: 'Remove the cap',
      approved: stateOf(caps),
      ...(cap === undefined && { nothingToDo: 'There is no such cap in this workspace.' }),
    };
  },
  written: (answer) => ({ text: `Cap ${shown(answer, 'removed')} is removed.` }),
};
