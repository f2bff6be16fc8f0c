import { counted } from '#kernel/values/counted.js';
import { numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import type { Visit } from '../visits.js';
import type { Action, Given } from './action.js';

const LIST = '/console/read-models';
const NAME = { name: 'name', label: 'Read model', isSubject: true } as const;

const pageOf = ({ name }: Given): string => `${LIST}/one?name=${encodeURIComponent(name ?? '')}`;

async function statusOf({ run }: Visit, { name = '' }: Given): Promise<AnswerPart> {
  const [status] = rowsOf(await run('projections.status', { name }), 'projections');
  return partOf(status);
}

const eventsOf = (status: AnswerPart): string => counted(shown(status, 'scanned'), 'event');

/** The generation that a rollback returns to; `-` if there is none. */
export const earlierGeneration = (status: AnswerPart): string => {
  const rebuild = partOf(status, 'rebuild');
  return shown(rebuild, 'state') === 'live' ? shown(rebuild, 'previous') : '-';
};

/** Whether a generation is being built besides the live one. */
export const isBeingBuilt = (status: AnswerPart): boolean =>
  ['building', 'ready'].includes(shown(partOf(status, 'rebuild'), 'state'));

/** An action on one read model, which returns to the page of that read model. */
const onReadModel = (
  action: Pick<Action, 'command' | 'title' | 'preview' | 'isLong'>,
  done: string | ((answer: AnswerPart) => string),
): Action => ({
  ...action,
  fields: [NAME],
  from: pageOf,
  written: (answer) => ({ text: typeof done === 'string' ? done : done(answer) }),
});

export const rebuildReadModel = onReadModel(
  {
    command: 'projections.rebuild',
    title: 'Rebuild the read model',
    isLong: true,
    async preview(visit, given) {
      const status = await statusOf(visit, given);
      return {
        affects: `1 read model, ${eventsOf(status)}`,
        changes: [
          {
            name: 'Generation that queries read',
            now: shown(status, 'live'),
            then: 'a new one, once it has every event',
          },
        ],
        button: `Rebuild ${given['name'] ?? ''}`,
      };
    },
  },
  'The read model was rebuilt.',
);

export const rollBackReadModel = onReadModel(
  {
    command: 'projections.rollback',
    title: 'Roll the read model back',
    isLong: true,
    async preview(visit, given) {
      const status = await statusOf(visit, given);
      const earlier = earlierGeneration(status);
      return {
        affects: `1 read model, ${eventsOf(status)}`,
        changes: [{ name: 'Generation that queries read', now: shown(status, 'live'), then: earlier }],
        button: `Roll back to generation ${earlier}`,
        // A second submission would go forth again.
        approved: earlier,
        ...(earlier === '-' && { nothingToDo: 'There is no earlier generation for a rollback.' }),
      };
    },
  },
  'The read model was rolled back.',
);

export const verifyReadModel = onReadModel(
  {
    command: 'projections.verify',
    title: 'Verify the read model',
    isLong: true,
    async preview(visit, given) {
      const status = await statusOf(visit, given);
      return {
        affects: `1 read model, ${eventsOf(status)}: replayed beside it and compared, nothing is changed`,
        changes: [],
        button: `Verify ${given['name'] ?? ''}`,
      };
    },
  },
  'The read model was verified.',
);

export const cancelReadModel = onReadModel(
  {
    command: 'projections.cancel',
    title: 'Stop the rebuild or verification',
    async preview(visit, given) {
      const status = await statusOf(visit, given);
      const built = numberOf(status, 'rebuild_events');
      return {
        affects: '1 rebuild or verification',
        changes: [
          {
            name: 'Running rebuild or verification',
            now: isBeingBuilt(status) ? `${counted(built, 'event')} built` : 'possibly a verification',
            then: 'stopped; a rebuild continues from there when it is started again',
          },
        ],
        button: 'Stop it',
      };
    },
  },
  'The stop was requested.',
);

export const retryReadModel = onReadModel(
  {
    command: 'projections.retry',
    title: 'Retry the parked events',
    async preview(visit, given) {
      const parked = rowsOf(await visit.run('projections.parked', { name: given['name'] ?? '' }), 'parked');
      const status = await statusOf(visit, given);
      const isHalted = shown(partOf(status, 'halted'), 'reason') !== '-';
      const events = parked.reduce((sum, row) => sum + numberOf(row, 'events'), 0);
      return {
        affects: `${counted(parked.length, 'workspace')}, ${counted(events, 'event')}`,
        changes: parked.slice(0, MOST_ROWS).map((row) => ({
          name: `Workspace ${shown(row, 'workspace_id')}`,
          now: `${counted(shown(row, 'events'), 'event')} parked`,
          then: 'folded, as far as the fold accepts them now',
        })),
        button: 'Retry them',
        ...(parked.length === 0 && !isHalted && { nothingToDo: 'Nothing is parked or halted.' }),
      };
    },
  },
  (answer) =>
    `${counted(numberOf(answer, 'events'), 'event')} folded; ${counted(rowsOf(answer, 'still_parked').length, 'workspace')} still parked.`,
);

const MOST_ROWS = 50;
