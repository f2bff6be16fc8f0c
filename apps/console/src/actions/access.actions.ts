import { numberOf, shown } from '../answer.js';
import type { Visit } from '../visits.js';
import { idIn, WORKSPACE, workspaceOf, workspacePage, type Action, type Given } from './action.js';
import { rowNamed } from './row-named.js';

const accessPage = (given: Given): string => workspacePage(given, 'access');

const keyOf = (visit: Visit, given: Given) => {
  const input = { workspace_id: idIn(given, 'workspace_id') };
  return rowNamed(
    visit,
    { command: 'apikey.list', rows: 'keys', input },
    'key_id',
    String(idIn(given, 'key_id')),
  );
};

export const issueKey: Action = {
  command: 'apikey.issue',
  title: 'Issue an API key',
  fields: [
    WORKSPACE,
    { name: 'label', label: 'Label', hint: 'What the key is for' },
    { name: 'read_only', label: 'Only reads', choices: ['yes', 'no'], isOptional: true },
  ],
  from: accessPage,
  input: ({ read_only, ...values }, { key }) => ({
    ...values,
    ...(read_only === 'yes' && { read_only: true }),
    issue_key: key,
  }),
  async preview(visit, given) {
    const workspace = await workspaceOf(visit, given);
    return {
      affects: '1 API key',
      changes: [
        {
          name: `Working keys of ${shown(workspace, 'name')}`,
          now: shown(workspace, 'keys'),
          then: String(numberOf(workspace, 'keys') + 1),
        },
      ],
      button: 'Issue the key',
    };
  },
  written: (answer) => ({
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
  async preview(visit, given) {
    const key = await keyOf(visit, given);
    const isRevoked = shown(key, 'revoked') === 'yes';
    return {
      affects: '1 API key',
      changes: [
        {
          name: `Key ${shown(key, 'key_id')}, ${shown(key, 'prefix')}, ${shown(key, 'label')}`,
          now: isRevoked ? 'revoked' : 'works',
          then: 'revoked',
        },
        { name: 'Last used (UTC)', now: shown(key, 'last_used_at'), then: 'never again' },
      ],
      button: `Revoke key ${shown(key, 'key_id')}`,
      ...(isRevoked && { nothingToDo: 'This key is already revoked.' }),
      ...(shown(key, 'key_id') === '-' && { nothingToDo: 'There is no such key in this workspace.' }),
    };
  },
  written: (answer) => ({ text: `Key ${shown(answer, 'key_id')} is revoked.` }),
};

export const makeLink: Action = {
  command: 'link.add',
  title: 'Make a read-only link',
  fields: [
    WORKSPACE,
    { name: 'label', label: 'Who it is for' },
    {
      name: 'expires_at',
      label: 'Ends on',
      kind: 'date',
      isOptional: true,
      hint: 'At the beginning of this day (UTC); in 7 days when empty',
    },
  ],
  from: accessPage,
  async preview(visit, given) {
    const workspace = await workspaceOf(visit, given);
    return {
      affects: '1 workspace',
      changes: [
        {
          name: `Who sees the ledger of ${shown(workspace, 'name')}`,
          now: 'operators',
          then: `operators, and the first person who opens the link (${given['label']})`,
        },
      ],
      button: 'Make the link',
    };
  },
  written: (answer) => ({
    text: `The link ends at ${shown(answer, 'expires_at')}. It opens once.`,
    secret: { name: 'Path of the link, after the address of this console', value: shown(answer, 'path') },
  }),
};

export const withdrawLink: Action = {
  command: 'link.withdraw',
  title: 'Withdraw a read-only link',
  cannotBeUndone: 'The link can no longer be opened, and its session ends.',
  fields: [WORKSPACE, { name: 'link_id', label: 'Link', isSubject: true }],
  from: accessPage,
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
      ...(shown(link, 'active') === 'no' && { nothingToDo: 'This link has already ended.' }),
      ...(shown(link, 'link_id') === '-' && { nothingToDo: 'There is no such link in this workspace.' }),
    };
  },
  written: (answer) => ({ text: `Link ${shown(answer, 'link_id')} is withdrawn.` }),
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
  async preview(visit, given) {
    const workspace = await workspaceOf(visit, given);
    const now = shown(workspace, 'blocked') === 'yes' ? 'blocked' : 'not blocked';
    return {
      affects: '1 workspace',
      changes: [{ name: `Launches of runs of ${shown(workspace, 'name')}`, now, then }],
      button: title,
      ...(now === then && { nothingToDo: `The workspace is already ${now}.` }),
    };
  },
  written: () => ({ text: `The workspace is ${then}.` }),
});

export const blockWorkspace = blocking('workspace.block', 'Block the workspace', 'blocked');
export const unblockWorkspace = blocking(
  'workspace.unblock',
  'Lift the block of the workspace',
  'not blocked',
);
