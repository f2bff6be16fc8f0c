import { projection } from '#kernel/projections/projection.js';
import type { Query, ReadModels } from '#kernel/ports/read-store.port.js';
import { dueFigures } from './due-work.js';
import type { Process } from './process.js';
import { timedToDo, toDo, type DueItem, type ToDo } from './to-do.js';

type Task = DueItem & { readonly dueAt: string; readonly addedPosition: string; readonly id: number };

const NOW = new Date('2026-07-10T12:00:00.000Z');
const tasks = projection<Task, object>()({
  name: 'tasks',
  version: 1,
  indexes: { byTime: ['dueAt', 'id'], byPosition: ['addedPosition'] },
  key: () => null,
  on: {},
});
const process = (todo: ToDo): Process => ({
  name: 'work-off-tasks',
  lane: 'timers',
  atOnce: 5,
  toDo: todo,
  key: () => '',
  waitsFor: ['tasks'],
  act: async () => undefined,
});

/** Read models with only these tasks, in this order. */
function holding(items: readonly Task[], asked: Query[] = []): ReadModels {
  const refuse = () => Promise.reject(new Error('not asked for here'));
  return {
    get: refuse,
    getMany: refuse,
    groups: async (_view, { where: { workspaceId: after } = {} }, { limit }) => {
      const from = typeof after === 'object' && after !== null && 'gt' in after ? Number(after.gt) : 0;
      const ids = [...new Set(items.map(({ workspaceId }) => workspaceId))].filter((id) => id > from);
      return ids
        .sort((left, right) => left - right)
        .slice(0, limit)
        .map((id) => ({ by: [id], count: 1, sum: 0n }));
    },
    count: async (_view, filter) => {
      asked.push(filter);
      return items.length;
    },
    find: async <Document>(_view: unknown, { where: { workspaceId: wanted } = {}, limit }: Query) =>
      items
        .filter(({ workspaceId }) => wanted === undefined || workspaceId === wanted)
        .slice(0, limit) as unknown as readonly Document[],
  };
}

const task = (workspaceId: number, dueAt = '2026-07-10T11:59:00.000Z'): Task => ({
  workspaceId,
  dueAt,
  addedPosition: `at-${workspaceId}`,
  id: workspaceId,
});
const recordedAt = async (position: string) =>
  position === 'at-7' ? new Date('2026-07-10T10:00:00.000Z') : null;
const host = (items: readonly Task[], parked: readonly number[] = [], asked: Query[] = []) => ({
  readModels: holding(items, asked),
  clock: { now: () => NOW },
  isParked: async (_view: string, workspaceId: number) => parked.includes(workspaceId),
  blockOf: async () => null,
});

describe('the figures of due work', () => {
  it('count the due items, with the due time of the oldest', async () => {
    const asked: Query[] = [];
    const timed = process(timedToDo(tasks, { dueAt: 'dueAt', afterMs: 30_000, thenBy: 'id' }));
    expect(await dueFigures(host([task(1), task(2)], [], asked), timed, recordedAt)).toEqual({
      items: 2,
      oldestSince: new Date('2026-07-10T11:59:30.000Z'),
    });
    expect(asked).toEqual([{ where: { dueAt: { lte: '2026-07-10T11:59:30.000Z' } } }]);
    expect(await dueFigures(host([]), timed, recordedAt)).toEqual({ items: 0, oldestSince: null });
  });

  it('use the time at which the event was recorded for items that are due at once, if the order has its position', async () => {
    const byPosition = process(toDo(tasks, { oldestFirst: ['addedPosition'] }));
    expect(await dueFigures(host([task(7)]), byPosition, recordedAt)).toEqual({
      items: 1,
      oldestSince: new Date('2026-07-10T10:00:00.000Z'),
    });
    const byId = process(toDo(tasks, { oldestFirst: ['id'] }));
    expect(await dueFigures(host([task(7)]), byId, recordedAt)).toEqual({ items: 1, oldestSince: null });
  });

  it('count items of a parked workspace, but not for the age', async () => {
    const timed = process(timedToDo(tasks, { dueAt: 'dueAt', thenBy: 'id' }));
    const waiting = [task(1, '2026-07-01T00:00:00.000Z'), task(2)];
    expect(await dueFigures(host(waiting, [1]), timed, recordedAt)).toEqual({
      items: 2,
      oldestSince: new Date('2026-07-10T11:59:00.000Z'),
    });
    expect(await dueFigures(host(waiting, [1, 2]), timed, recordedAt)).toEqual({
      items: 2,
      oldestSince: null,
    });
  });

  it('find the oldest item that runs behind more waiting items than one read shows', async () => {
    const timed = process(timedToDo(tasks, { dueAt: 'dueAt', thenBy: 'id' }));
    const late = [task(3, '2026-07-10T11:57:00.000Z'), task(2, '2026-07-10T11:58:00.000Z')];
    const ofOne = Array.from({ length: 100 }, () => task(1, '2026-07-01T00:00:00.000Z'));
    expect(await dueFigures(host([...ofOne, ...late], [1]), timed, recordedAt)).toEqual({
      items: 102,
      oldestSince: new Date('2026-07-10T11:57:00.000Z'),
    });
    const ids = Array.from({ length: 100 }, (_, index) => index + 10);
    const ofMany = ids.map((id) => task(id, '2026-07-01T00:00:00.000Z'));
    const behind = [...ofMany, task(200, '2026-07-10T11:56:00.000Z')];
    expect(await dueFigures(host(behind, ids), timed, recordedAt)).toEqual({
      items: 101,
      oldestSince: new Date('2026-07-10T11:56:00.000Z'),
    });
    expect(await dueFigures(host(ofMany, ids), timed, recordedAt)).toEqual({ items: 100, oldestSince: null });
  });
});
