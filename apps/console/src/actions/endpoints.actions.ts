import { counted } from '#kernel/values/counted.js';
import { partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import type { Visit } from '../visits.js';
import { idIn, WORKSPACE, workspacePage, type Action, type Given } from './action.js';

const ENDPOINT = { name: 'endpoint_id', label: 'Endpoint', kind: 'number', isSubject: true } as const;
const deliveriesPage = (given: Given): string => workspacePage(given, 'deliveries');

async function endpointOf(visit: Visit, given: Given): Promise<AnswerPart> {
  const answer = await visit.run('endpoint.list', { workspace_id: idIn(given, 'workspace_id') });
  return (
    rowsOf(answer, 'endpoints').find((each) => shown(each, 'id') === String(idIn(given, 'endpoint_id'))) ?? {}
  );
}

const stateOf = (endpoint: AnswerPart): string =>
  shown(endpoint, 'enabled') === 'yes' ? 'enabled' : 'disabled';

/** Disabled until its secret is back: a pause keeps it disabled then (DLV-04). */
export const isSecretLost = (endpoint: AnswerPart): boolean =>
  shown(endpoint, 'disabled_reason') === 'secret_lost';

const changing = (
  command: 'endpoint.pause' | 'endpoint.resume',
  title: string,
  then: 'disabled' | 'enabled',
): Action => ({
  command,
  title,
  fields: [WORKSPACE, ENDPOINT],
  from: deliveriesPage,
  async preview(visit, given) {
    const endpoint = await endpointOf(visit, given);
    const isUntilRestored = isSecretLost(endpoint);
    const state = stateOf(endpoint);
    const now = isUntilRestored ? `${state} until its secret is restored or rotated` : state;
    return {
      affects: '1 endpoint',
      changes: [{ name: `Endpoint ${shown(endpoint, 'id')}, ${shown(endpoint, 'url')}`, now, then }],
      button: title,
      ...(now === then && { nothingToDo: `The endpoint is already ${now}.` }),
      ...(shown(endpoint, 'id') === '-' && { nothingToDo: 'The workspace has no such endpoint.' }),
    };
  },
  written: (answer) => ({
    text: `Endpoint ${shown(answer, 'endpoint_id')} is ${shown(answer, 'status')}.`,
  }),
});

export const pauseEndpoint = changing('endpoint.pause', 'Pause the endpoint', 'disabled');
export const resumeEndpoint = changing('endpoint.resume', 'Resume the endpoint', 'enabled');

export const replayDeliveries: Action = {
  command: 'endpoint.replay',
  title: 'Send events again',
  cannotBeUndone: 'Sent events cannot be taken back. The receiver recognises a repetition by its webhook-id.',
  fields: [
    WORKSPACE,
    ENDPOINT,
    { name: 'event', label: 'One event, by its id', isOptional: true },
    {
      name: 'since',
      label: 'Or every event since',
      kind: 'date',
      isOptional: true,
      hint: 'In UTC; at most 30 days ago',
    },
  ],
  from: deliveriesPage,
  async preview(visit, given) {
    const endpoint = await endpointOf(visit, given);
    const answer = await visit.run('endpoint.deliveries', {
      workspace_id: idIn(given, 'workspace_id'),
      endpoint_id: idIn(given, 'endpoint_id'),
      status: 'failed',
    });
    const rows = rowsOf(answer, 'deliveries').length;
    // The list ends after so many.
    const failed = shown(partOf(answer), 'has_more') === 'yes' ? `${rows} or more` : rows;
    const what =
      given['event'] === undefined ? `every event since ${given['since'] ?? '?'}` : `event ${given['event']}`;
    return {
      affects: `1 endpoint, ${what}`,
      changes: [
        { name: 'Sent again to', now: '', then: shown(endpoint, 'url') },
        {
          name: 'Failed deliveries of this endpoint',
          now: counted(failed, 'delivery', 'deliveries'),
          then: 'the replayed events are attempted once more',
        },
      ],
      button: 'Send again',
      ...(given['event'] === undefined && given['since'] === undefined
        ? { nothingToDo: 'Name an event, or the day from which events are sent again.' }
        : {}),
      ...(stateOf(endpoint) === 'disabled' && { nothingToDo: 'The endpoint is disabled. Resume it first.' }),
    };
  },
  written: (answer) => ({
    text: `A replay to endpoint ${shown(answer, 'endpoint_id')} is requested. Its attempts appear below.`,
  }),
};
