import { numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import type { Visit } from '../visits.js';
import { idIn, textsIn, WORKSPACE, workspacePage, type Action, type Given } from './action.js';

const accessPage = (given: Given): string => workspacePage(given, 'access');
const OPERATORS = '/console/operators';
const MOST_ROWS = 100;

/** The row of a list of which this member has this value; an empty one where there is none. */
async function rowNamed(
  visit: Visit,
  list: { readonly command: string; readonly rows: string; readonly input: object },
  member: string,
  value: string,
): Promise<AnswerPart> {
  for (let page = 1; ; page += 1) {
    const answer = await visit.run(list.command, { ...list.input, page, page_size: MOST_ROWS });
    const row = rowsOf(answer, list.rows).find((each) => shown(each, member) === value);
    if (row !== undefined) return row;
    if (page >= numberOf(partOf(answer), 'page_count')) return {};
  }
}

const keyOf = (visit: Visit, given: Given) => {
  const input = { workspace_id: idIn(given, 'workspace_id') };
  return rowNamed(
    visit,
    { command: 'apikey.list', rows: 'keys', input },
    'key_id',
    String(idIn(given, 'key_id')),
  );
};

const operatorOf = (visit: Visit, given: Given) =>
  rowNamed(visit, { command: 'operator.list', rows: 'operators', input: {} }, 'name', given['name'] ?? '');

export const issueKey: Action = {
  command: 'apikey.issue',
  title: 'Issue an API key',
  fields: [
    WORKSPACE,
    { name: 'label', label: 'Label', hint: 'What the key is for' },
    { name: 'read_only', label: 'Only reads', choices: ['yes', 'no'], isOptional: true },
  ],
  from: accessPage,
  input: (given) => ({
    workspace_id: idIn(given, 'workspace_id'),
    ...textsIn(given, 'label'),
    ...(given['read_only'] === 'yes' && { read_only: true }),
  }),
  async preview(visit, given) {
    const workspace = partOf(
      await visit.run('workspace.show', { workspace_id: idIn(given, 'workspace_id') }),
    );
    return {
      affects: '1 API key',
      changes: [
        {
          name: `Keys of ${shown(workspace, 'name')} that work`,
          now: shown(workspace, 'keys'),
          then: String(numberOf(workspace, 'keys') + 1),
        },
      ],
      button: 'Issue the key',
    };
  },
  written: (given, answer) => ({
    to: accessPage(given),
    text: `Key ${shown(answer, 'key_id')} is issued.`,
    secret: { name: 'API key', value: shown(answer, 'api_key') },
  }),
};

export const revokeKey: Action = {
  command: 'apikey.revoke',
  title: 'Revoke an API key',
  cannotBeUndone: 'Requests with this key are refused from then on. A revoked key never works again.',
  fields: [WORKSPACE, { name: 'key_id', label: 'Key', kind: 'number', isSubject: true }],
  from: accessPage,
  input: (given) => ({ workspace_id: idIn(given, 'workspace_id'), key_id: idIn(given, 'key_id') }),
  async preview(visit, given) {
    const key = await keyOf(visit, given);
    const isRevoked = shown(key, 'revoked') === 'yes';
    return {
      affects: '1 API key',
      changes: [
        {
          name: `Key ${shown(key, 'key_id')} (${shown(key, 'label')}, ${shown(key, 'prefix')})`,
          now: isRevoked ? 'revoked' : 'works',
          then: 'revoked',
        },
        { name: 'Last used (UTC)', now: shown(key, 'last_used_at'), then: 'never again' },
      ],
      button: `Revoke key ${shown(key, 'key_id')}`,
      ...(isRevoked && { nothingToDo: 'This key is revoked already.' }),
    };
  },
  written: (given, answer) => ({
    to: accessPage(given),
    text: `Key ${shown(answer, 'key_id')} is revoked.`,
  }),
};

export const addOperator: Action = {
  command: 'operator.add',
  title: 'Add an operator',
  cannotBeUndone: 'A name stands for one operator for ever, also after the operator is revoked.',
  fields: [
    { name: 'name', label: 'Name', hint: 'Small letters, digits, dots and dashes' },
    {
      name: 'role',
      label: 'Role',
      choices: ['finance', 'operator'],
      hint: 'finance: read, export, close months, adjust; operator: everything',
    },
  ],
  from: () => OPERATORS,
  input: (given) => textsIn(given, 'name', 'role'),
  preview: async (_visit, given) => ({
    affects: '1 operator',
    changes: [{ name: given['name'] ?? '', now: 'unknown', then: `has the role ${given['role']}` }],
    button: `Add ${given['name']}`,
  }),
  written: (_given, answer) => ({
    to: OPERATORS,
    text: `${shown(answer, 'name')} is added with the role ${shown(answer, 'role')}.`,
    secret: { name: `Token of ${shown(answer, 'name')}`, value: shown(answer, 'token') },
  }),
};

const OPERATOR = { name: 'name', label: 'Operator', isSubject: true } as const;

export const revokeOperator: Action = {
  command: 'operator.revoke',
  title: 'Revoke an operator',
  cannotBeUndone: 'The token is refused from then on, and the name is never given again.',
  fields: [OPERATOR],
  from: () => OPERATORS,
  input: (given) => textsIn(given, 'name'),
  async preview(visit, given) {
    const operator = await operatorOf(visit, given);
    const isRevoked = shown(operator, 'revoked_at') !== '-';
    return {
      affects: '1 operator',
      changes: [
        {
          name: `${shown(operator, 'name')} (${shown(operator, 'role')})`,
          now: isRevoked ? 'revoked' : 'may sign in',
          then: 'revoked',
        },
      ],
      button: `Revoke ${shown(operator, 'name')}`,
      ...(isRevoked && { nothingToDo: 'This operator is revoked already.' }),
    };
  },
  written: (_given, answer) => ({ to: OPERATORS, text: `${shown(answer, 'name')} is revoked.` }),
};

export const rotateOperator: Action = {
  command: 'operator.rotate',
  title: 'Give an operator a new token',
  cannotBeUndone: 'The token of now is refused from then on.',
  fields: [OPERATOR],
  from: () => OPERATORS,
  input: (given) => textsIn(given, 'name'),
  async preview(visit, given) {
    const operator = await operatorOf(visit, given);
    return {
      affects: '1 token',
      changes: [{ name: `Token of ${shown(operator, 'name')}`, now: 'works', then: 'replaced' }],
      button: 'Make a new token',
    };
  },
  written: (_given, answer) => ({
    to: OPERATORS,
    text: `${shown(answer, 'name')} has a new token.`,
    secret: { name: `Token of ${shown(answer, 'name')}`, value: shown(answer, 'token') },
  }),
};

export const makeLink: Action = {
  command: 'link.add',
  title: 'Make a read-only link',
  fields: [
    WORKSPACE,
    { name: 'label', label: 'Who it is for' },
    { name: 'expires_at', label: 'Ends on', kind: 'date', isOptional: true, hint: 'In 7 days when empty' },
  ],
  from: accessPage,
  input: (given) => ({
    workspace_id: idIn(given, 'workspace_id'),
    ...textsIn(given, 'label', 'expires_at'),
  }),
  async preview(visit, given) {
    const workspace = partOf(
      await visit.run('workspace.show', { workspace_id: idIn(given, 'workspace_id') }),
    );
    return {
      affects: '1 workspace',
      changes: [
        {
          name: `Who sees the ledger of ${shown(workspace, 'name')}`,
          now: 'operators',
          then: `operators, and whoever opens the link first (${given['label']})`,
        },
      ],
      button: 'Make the link',
    };
  },
  written: (given, answer) => ({
    to: accessPage(given),
    text: `The link ends at ${shown(answer, 'expires_at')}. It opens once.`,
    secret: { name: 'Link, behind the address of this console', value: shown(answer, 'path') },
  }),
};

export const withdrawLink: Action = {
  command: 'link.withdraw',
  title: 'Withdraw a read-only link',
  cannotBeUndone: 'The link opens no more, and its session ends.',
  fields: [WORKSPACE, { name: 'link_id', label: 'Link', isSubject: true }],
  from: accessPage,
  input: (given) => ({ workspace_id: idIn(given, 'workspace_id'), ...textsIn(given, 'link_id') }),
  async preview(visit, given) {
    const input = { workspace_id: idIn(given, 'workspace_id') };
    const wanted = { command: 'link.list', rows: 'links', input };
    const link = await rowNamed(visit, wanted, 'link_id', given['link_id'] ?? '');
    return {
      affects: '1 link',
      changes: [
        {
          name: `Link for ${shown(link, 'label')}`,
          now: shown(link, 'opened_at') === '-' ? 'not opened yet' : 'open',
          then: 'withdrawn',
        },
      ],
      button: 'Withdraw the link',
      ...(shown(link, 'active') === 'no' && { nothingToDo: 'This link is over already.' }),
    };
  },
  written: (given, answer) => ({
    to: accessPage(given),
    text: `Link ${shown(answer, 'link_id')} is withdrawn.`,
  }),
};

const REASON = { name: 'reason', label: 'Reason', kind: 'long text' } as const;

const blocking = (
  command: 'workspace.block' | 'workspace.unblock',
  title: string,
  then: 'blocked' | 'not blocked',
): Action => ({
  command,
  title,
  fields: [WORKSPACE, REASON],
  from: accessPage,
  input: (given) => ({ workspace_id: idIn(given, 'workspace_id'), ...textsIn(given, 'reason') }),
  async preview(visit, given) {
    const workspace = partOf(
      await visit.run('workspace.show', { workspace_id: idIn(given, 'workspace_id') }),
    );
    const now = shown(workspace, 'blocked') === 'yes' ? 'blocked' : 'not blocked';
    return {
      affects: '1 workspace',
      changes: [{ name: `${shown(workspace, 'name')}, launches of runs`, now, then }],
      button: title,
      ...(now === then && { nothingToDo: `The workspace is ${now} already.` }),
    };
  },
  written: (given) => ({ to: accessPage(given), text: `The workspace is ${then}.` }),
});

export const blockWorkspace = blocking('workspace.block', 'Block the workspace', 'blocked');
export const unblockWorkspace = blocking(
  'workspace.unblock',
  'Lift the block of the workspace',
  'not blocked',
);
