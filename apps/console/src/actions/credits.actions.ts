import { counted } from '#kernel/values/counted.js';
import { formatCredits, parseCredits, type Credits } from '#kernel/values/credits.js';
import { readChange, readPositiveCredits } from '#ops/support/amounts.js';
import { numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { monthOf, periodOf } from '../month.js';
import type { Visit } from '../visits.js';
import { idIn, WORKSPACE, workspaceOf, workspacePage, type Action, type Given } from './action.js';
import {
  CREDITS,
  EXPIRES_ON,
  ledgerPage,
  PRIORITY,
  PROMOTIONAL,
  REASON,
  withTerms,
} from './posting-fields.js';

const creditsIn = (value: unknown): Credits => parseCredits(value) ?? 0n;

/** The change of a workspace's balance by a posting of these credits. */
async function posting(visit: Visit, given: Given, credits: Credits, button: string) {
  const workspace = await workspaceOf(visit, given);
  const books = partOf(workspace, 'balance');
  const balance = creditsIn(books['balance']);
  const isCovered = credits >= 0n || balance + credits >= 0n;
  return {
    affects: `1 workspace, ${counted(formatCredits(credits), 'credit')}`,
    changes: [
      {
        name: `Balance of ${shown(workspace, 'name')}`,
        now: formatCredits(balance),
        then: formatCredits(balance + credits),
      },
    ],
    button,
    // Charges leave it unchanged: a form is refused only after another posting, by another operator for instance.
    approved: formatCredits(creditsIn(books['granted']) + creditsIn(books['expired'])),
    ...(!isCovered && { nothingToDo: 'The balance does not cover this.' }),
  };
}

/** A posting is a movement: its page shows the result. */
const movementWritten = (done: string) => (answer: AnswerPart, given: Given) => {
  const movement = shown(answer, 'movement_id');
  const isReplayed = shown(answer, 'replayed') === 'yes';
  const words = isReplayed
    ? `${done} before, as movement ${movement}: nothing was changed now`
    : `${done} as movement ${movement}`;
  return {
    to: workspacePage(given, `movements/${movement}`),
    text: `${words}. The balance is ${shown(partOf(answer, 'balance'), 'balance')}.`,
  };
};

export const grantCredits: Action = {
  command: 'credits.grant',
  title: 'Grant credits',
  fields: [WORKSPACE, CREDITS, REASON, EXPIRES_ON, PRIORITY, PROMOTIONAL],
  from: ledgerPage,
  input: (values, { key }) => ({ ...withTerms(values), grant_key: key }),
  preview: async (visit, given) => {
    const credits = readPositiveCredits(given['credits'] ?? '');
    return posting(visit, given, credits, `Grant ${counted(formatCredits(credits), 'credit')}`);
  },
  written: movementWritten('Granted'),
};

export const withdrawCredits: Action = {
  command: 'credits.withdraw',
  title: 'Withdraw credits',
  fields: [WORKSPACE, CREDITS, REASON],
  from: ledgerPage,
  input: (values, { key }) => ({ ...values, grant_key: key }),
  preview: async (visit, given) => {
    const credits = readPositiveCredits(given['credits'] ?? '');
    return posting(visit, given, -credits, `Withdraw ${counted(formatCredits(credits), 'credit')}`);
  },
  written: movementWritten('Withdrawn'),
};

export const adjustCredits: Action = {
  command: 'credits.adjust',
  title: 'Adjust a balance',
  fields: [
    WORKSPACE,
    { ...CREDITS, hint: 'A negative amount takes credits back: -12.5' },
    REASON,
    {
      name: 'corrects',
      label: 'Corrects movement',
      kind: 'number',
      isOptional: true,
      hint: 'The movement that was wrong',
    },
    {
      name: 'beyond',
      label: 'Why the correction exceeds the movement',
      isOptional: true,
      hint: 'Only if the correction exceeds the charge',
    },
    { ...EXPIRES_ON, hint: 'Of added credits: at the beginning of this day (UTC); never when empty' },
    { ...PRIORITY, hint: 'Of added credits: 0 to 100, lower is spent first; 50 when empty' },
    { ...PROMOTIONAL, hint: 'Of added credits: spent before paid ones' },
  ],
  from: ledgerPage,
  input: (values, { key }) => ({ ...withTerms(values), adjust_key: key }),
  preview: async (visit, given) => {
    const credits = readChange(given['credits'] ?? '');
    return posting(visit, given, credits, `Adjust by ${counted(formatCredits(credits), 'credit')}`);
  },
  written: movementWritten('Adjusted'),
};

/** Whether the lot of a share has ended. */
const isOver = (share: AnswerPart, now: Date): boolean =>
  typeof share['expires_at'] === 'string' && share['expires_at'] <= now.toISOString();

export const releaseHold: Action = {
  command: 'credits.release',
  title: 'Release a hold',
  cannotBeUndone: 'A released hold cannot be captured any more.',
  fields: [WORKSPACE, { name: 'movement_id', label: 'Movement', kind: 'number', isSubject: true }],
  from: (given) => workspacePage(given, 'holds'),
  async preview(visit, given) {
    const workspace = partOf(await workspaceOf(visit, given), 'balance');
    const movement = partOf(
      await visit.run('ledger.movement', {
        workspace_id: idIn(given, 'workspace_id'),
        movement_id: idIn(given, 'movement_id'),
      }),
    );
    const credits = creditsIn(movement['credits']);
    const status = shown(movement, 'status');
    const button = `Release ${counted(formatCredits(credits), 'credit')}`;
    if (status !== 'held')
      return { affects: 'no hold', changes: [], button, nothingToDo: `The movement is already ${status}.` };
    const isOwn = shown(movement, 'payer') === 'workspace';
    const balance = creditsIn(workspace['balance']);
    const held = creditsIn(workspace['held']);
    // These return to lots that have ended, and expire in the same append (LOT-03).
    const over = rowsOf(movement, 'lots')
      .filter((share) => isOver(share, visit.now))
      .reduce((sum, share) => sum + creditsIn(share['credits']), 0n);
    const expired = creditsIn(workspace['expired']);
    return {
      affects: `1 hold, ${counted(formatCredits(credits), 'credit')}`,
      changes: [
        { name: 'Status of the hold', now: 'held', then: 'released' },
        { name: 'Held for', now: shown(movement, 'key'), then: 'nothing' },
        {
          name: 'Balance',
          now: formatCredits(balance),
          then: formatCredits(isOwn ? balance + credits - over : balance),
        },
        { name: 'Held', now: formatCredits(held), then: formatCredits(isOwn ? held - credits : held) },
        ...(over === 0n
          ? []
          : [{ name: 'Expired', now: formatCredits(expired), then: formatCredits(expired + over) }]),
      ],
      button,
    };
  },
  written: movementWritten('Released'),
};

export const closeMonth: Action = {
  command: 'ledger.close_month',
  title: 'Close a month',
  cannotBeUndone:
    'A closed month cannot be opened again. Later corrections belong to the month in which they are made.',
  fields: [WORKSPACE, { name: 'month', label: 'Month', kind: 'month', isSubject: true }],
  from: (given) => `${workspacePage(given, 'months')}?month=${encodeURIComponent(given['month'] ?? '')}`,
  input: (values, { approved }) => ({
    ...values,
    ...(approved !== undefined && { hash: approved }),
  }),
  async preview(visit, given) {
    const month = given['month'] ?? '';
    const statement = partOf(
      await visit.run('ledger.statement', {
        workspace_id: idIn(given, 'workspace_id'),
        ...periodOf(month),
        rows: 0,
      }),
    );
    const count = numberOf(statement, 'entries');
    const isOver = month < monthOf(visit.now);
    const hash = shown(statement, 'hash');
    const isClosed = shown(partOf(statement, 'seal'), 'hash') !== '-';
    return {
      affects: `1 month, ${counted(count, 'entry', 'entries')} of the ledger`,
      changes: [
        { name: `State of ${month}`, now: isClosed ? 'closed' : 'open', then: 'closed' },
        { name: 'Closing balance', now: '', then: shown(statement, 'closing') },
        { name: 'Last entry', now: '', then: shown(statement, 'revision') },
        { name: 'Hash', now: '', then: hash },
      ],
      button: `Close ${month}`,
      approved: hash,
      ...(!isOver && { nothingToDo: `${month} can be closed when it is over.` }),
      ...(isClosed && { nothingToDo: `${month} is already closed.` }),
      // Before the first entry of a ledger there is no hash to approve.
      ...(hash === '-' && { nothingToDo: `The ledger begins after ${month}.` }),
    };
  },
  written: (answer) => ({
    text: `${shown(answer, 'month')} is closed with a balance of ${shown(answer, 'closing')}.`,
  }),
};
