import { fieldError } from '#kernel/values/refusal.js';
import { given } from '#kernel/testing/scenario.js';
import {
  changeList,
  createEmployeeList,
  createList,
  deleteList,
  employeeListStays,
  invalidList,
  list,
  listNotFound,
  restoreList,
  tierNotAllowed,
} from './list.js';

const now = '2026-01-05T10:00:00.000Z';
const facts = {
  listId: 12,
  type: 'customer',
  name: 'Key customers',
  description: null,
  defaultTrackingStatus: 'followed',
  tier: 1,
  personaIds: [4],
} as const;
const created = { type: 'ListCreated', data: { ...facts, createdAt: now } } as const;
const archived = { type: 'ListArchived', data: { listId: 12, archivedAt: now } } as const;
const deleted = { type: 'ListDeleted', data: { listId: 12, deletedAt: now } } as const;

describe('creating a list (OP-43)', () => {
  it('LST-20 records a list with each persona once', () => {
    given(list, [])
      .when(createList({ ...facts, personaIds: [4, 4], now }))
      .then([created]);
  });

  it('LST-28 refuses a tier on a list that cannot carry one', () => {
    given(list, [])
      .when(createList({ ...facts, type: 'competitor', now }))
      .then(tierNotAllowed());
    for (const type of ['customer', 'prospect'] as const)
      given(list, [])
        .when(createList({ ...facts, type, now }))
        .then([{ type: 'ListCreated', data: { ...facts, type, createdAt: now } }]);
  });

  it('LST-11 creates the employee list once', () => {
    const employees = {
      type: 'ListCreated',
      data: {
        ...facts,
        type: 'employee',
        name: 'All my employees',
        tier: null,
        personaIds: [],
        createdAt: now,
      },
    } as const;
    const create = createEmployeeList({ listId: 12, now });
    given(list, []).when(create).then([employees]);
    given(list, [employees]).when(create).then([]);
  });
});

describe('changing a list (OP-43)', () => {
  it('LST-50 records only changed fields', () => {
    given(list, [created])
      .when(
        changeList({ changes: { name: 'Key customers', description: 'By revenue', personaIds: [4] }, now }),
      )
      .then([{ type: 'ListChanged', data: { listId: 12, changes: { description: 'By revenue' } } }]);
  });

  it('LST-51 archives and unarchives, each once', () => {
    const change = (wanted: boolean) => changeList({ changes: {}, archived: wanted, now });
    given(list, [created]).when(change(true)).then([archived]);
    given(list, [created, archived]).when(change(true)).then([]);
    given(list, [created, archived])
      .when(change(false))
      .then([{ type: 'ListUnarchived', data: { listId: 12 } }]);
  });

  it('LST-12 refuses to archive the employee list, to give it personas or to delete it (OP-44)', () => {
    const employees = {
      type: 'ListCreated',
      data: { ...facts, type: 'employee', tier: null, personaIds: [], createdAt: now },
    } as const;
    given(list, [employees])
      .when(changeList({ changes: { personaIds: [4] }, archived: true, now }))
      .then(
        invalidList({
          errors: new Map([
            ...fieldError('archived', 'the list of employees cannot be archived'),
            ...fieldError('persona_ids', 'the list of employees applies to every persona'),
          ]),
        }),
      );
    given(list, [employees])
      .when(changeList({ changes: { personaIds: [] }, archived: false, now }))
      .then([]);
    given(list, [employees]).when(deleteList({ now })).then(employeeListStays());
  });
});

describe('deleting and restoring a list', () => {
  it('LST-54 LST-56 deletes once and restores once', () => {
    given(list, [created]).when(deleteList({ now })).then([deleted]);
    given(list, [created, deleted]).when(deleteList({ now })).then(listNotFound());
    given(list, [created, deleted])
      .when(restoreList())
      .then([{ type: 'ListRestored', data: { listId: 12 } }]);
    given(list, [created]).when(restoreList()).then([]);
    given(list, []).when(restoreList()).then(listNotFound());
  });

  it('LST-45 refuses to change a deleted list', () => {
    given(list, [created, deleted])
      .when(changeList({ changes: { name: 'x' }, now }))
      .then(listNotFound());
  });
});
