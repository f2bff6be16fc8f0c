import { given } from '#kernel/testing/scenario.js';
import {
  dropMappings,
  confirmMappings,
  mappingDay,
  reserveMappings,
  type ReserveMappings,
} from './mapping-day.js';

const day = { companyId: 9, requestDate: '2026-01-05' };
const NOW = '2026-01-05T10:00:00.000Z';
const LEASE = '2026-01-05T10:00:10.000Z';
const sales = { ...day, personaId: 4, requestId: 310, mappingId: 21 };
const support = { ...day, personaId: 5, requestId: 311, mappingId: 22 };
const terms = { credits: '1000000', identifier: 'acme.com', reservedAt: NOW, leaseUntil: LEASE };
const reserved = <About extends typeof sales>(about: About) =>
  ({ type: 'MappingReserved', data: { ...about, ...terms } }) as const;
const launched = (about: typeof sales, movementId: number | null = 501) =>
  ({ type: 'MappingLaunched', data: { ...about, movementId } }) as const;
const dropped = (about: typeof sales) =>
  ({ type: 'MappingDropped', data: { ...about, reason: 'not_confirmed' } }) as const;

const reserve = (more: Partial<ReserveMappings>) =>
  reserveMappings({
    ...day,
    wanted: [sales],
    credits: 1_000_000n,
    identifier: 'acme.com',
    passed: new Map(),
    now: NOW,
    leaseUntil: LEASE,
    ...more,
  });

describe('the mappings of a company on one day', () => {
  it('INV-09 are launched once for each persona', () => {
    given(mappingDay, [])
      .when(reserve({ wanted: [sales, support] }))
      .then([reserved(sales), reserved(support)]);
    given(mappingDay, [reserved(sales), launched(sales)])
      .when(reserve({ wanted: [{ ...sales, requestId: 400 }, support] }))
      .then([reserved(support)]);
  });

  it('OP-56 wait for open reservations: nothing else is reserved meanwhile', () => {
    given(mappingDay, [reserved(sales)])
      .when(reserve({ wanted: [support, { ...sales, requestId: 400 }] }))
      .then([]);
  });

  it('OP-56 can be launched again after they were dropped, into the same mapping', () => {
    given(mappingDay, [reserved(sales), dropped(sales)])
      .when(reserve({ wanted: [{ ...sales, requestId: 400, mappingId: 30 }] }))
      .then([reserved({ ...sales, requestId: 400 })]);
    // It was dropped before it failed, so there is nothing to reopen.
    given(mappingDay, [reserved(sales), dropped(sales)])
      .when(reserve({ wanted: [{ ...sales, requestId: 400 }], passed: new Map([[310, 'internal_error']]) }))
      .then([reserved({ ...sales, requestId: 400 })]);
  });

  it('OP-56 can be launched again if the request failed for a temporary reason, into the same mapping', () => {
    const past = [reserved(sales), launched(sales)];
    const again = [{ ...sales, requestId: 400, mappingId: 30 }];
    given(mappingDay, past)
      .when(reserve({ wanted: again, passed: new Map([[310, 'internal_error']]) }))
      .then([
        { type: 'MappingReopened', data: { ...sales, reason: 'internal_error' } },
        reserved({ ...sales, requestId: 400 }),
      ]);
    given(mappingDay, past)
      .when(reserve({ wanted: again, passed: new Map([[309, 'internal_error']]) }))
      .then([]);
  });

  it('are confirmed or dropped while they are reserved, once', () => {
    const confirm = confirmMappings(day, new Map([[310, 501]]));
    const drop = dropMappings(day, new Set([310]), 'not_confirmed');
    given(mappingDay, [reserved(sales), reserved(support)])
      .when(confirm)
      .then([launched(sales)]);
    given(mappingDay, [reserved(sales), launched(sales)])
      .when(confirm)
      .then([]);
    given(mappingDay, [reserved(sales), launched(sales)])
      .when(drop)
      .then([]);
    given(mappingDay, [reserved(sales)])
      .when(drop)
      .then([dropped(sales)]);
    given(mappingDay, [reserved(sales), dropped(sales)])
      .when(confirm)
      .then([]);
  });

  it('OP-56 of one call are confirmed all or none: if one was dropped the others are too', () => {
    const confirm = confirmMappings(
      day,
      new Map([
        [310, 501],
        [311, 502],
      ]),
    );
    given(mappingDay, [reserved(sales), reserved(support)])
      .when(confirm)
      .then([launched(sales), launched(support, 502)]);
    given(mappingDay, [reserved(sales), reserved(support), dropped(sales)])
      .when(confirm)
      .then([dropped(support)]);
    // A launch of another call replaces none of them.
    const other = { ...day, personaId: 6, requestId: 312, mappingId: 23 };
    given(mappingDay, [reserved(other), launched(other), reserved(sales), reserved(support), dropped(sales)])
      .when(confirm)
      .then([dropped(support)]);
  });

  it('may have one without a persona beside those of the personas', () => {
    const unattributed = { ...day, personaId: null, requestId: 320, mappingId: 40 };
    given(mappingDay, [reserved(sales), launched(sales)])
      .when(reserve({ wanted: [unattributed] }))
      .then([{ type: 'MappingReserved', data: { ...unattributed, ...terms } }]);
  });
});
