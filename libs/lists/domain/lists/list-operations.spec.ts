import { given } from '#kernel/testing/scenario.js';
import { createList, deleteList, list, listNotFound, tierNotAllowed } from './list.js';
import { assignTier, bindCrm } from './list-operations.js';

const now = '2026-01-05T10:00:00.000Z';
const createdAs = (type: 'customer' | 'competitor') =>
  createList({
    listId: 12,
    type,
    name: 'x',
    description: null,
    defaultTrackingStatus: 'followed',
    tier: null,
    personaIds: [],
    now,
  })(list.initial());

describe('the operations of the product on a list', () => {
  it('LST-05 assign a tier; the same tier again records no event', () => {
    const assigned = { type: 'ListTierAssigned', data: { listId: 12, tier: 2 } } as const;
    given(list, createdAs('customer')).when(assignTier(2)).then([assigned]);
    given(list, [...createdAs('customer'), assigned])
      .when(assignTier(2))
      .then([]);
  });

  it('LST-04 assign no tier to a list that cannot carry one', () => {
    given(list, createdAs('competitor')).when(assignTier(2)).then(tierNotAllowed());
  });

  it('LST-15 bind a list to a CRM; the same CRM again records no event', () => {
    const bound = { type: 'ListCrmBound', data: { listId: 12, crm: 'pipeline', boundAt: now } } as const;
    given(list, createdAs('customer'))
      .when(bindCrm({ crm: 'pipeline', now }))
      .then([bound]);
    given(list, [...createdAs('customer'), bound])
      .when(bindCrm({ crm: 'pipeline', now }))
      .then([]);
  });

  it('refuse a deleted list', () => {
    const [created] = createdAs('customer');
    const past =
      created === undefined
        ? []
        : [created, { type: 'ListDeleted', data: { listId: 12, deletedAt: now } } as const];
    given(list, past).when(assignTier(1)).then(listNotFound());
    given(list, past)
      .when(bindCrm({ crm: 'pipeline', now }))
      .then(listNotFound());
    given(list, past).when(deleteList({ now })).then(listNotFound());
  });
});
