import { START, type Position } from '#kernel/ports/event-store.port.js';
import { deliveryOrder } from './delivery-order.js';
import { positionText } from './position-text.js';
import { sessionIntake } from './session-intake.js';
import { JSON_TYPE, type DeliveredRecord } from './server-messages.js';

const SIZE = 2;

const at = (offset: number): Position => positionText({ commit: BigInt(offset), prepare: BigInt(offset) });

const record = (offset: number): DeliveredRecord => ({
  event: {
    id: `id-${offset}`,
    stream: 's-1',
    type: 'Noted',
    contentType: JSON_TYPE,
    revision: 0n,
    position: { commit: BigInt(offset), prepare: BigInt(offset) },
    data: Buffer.from('{}'),
    metadata: Buffer.from('{}'),
  },
  link: null,
});

/** An intake whose subscription receives what `received` holds. */
function begin(wanted: {
  readonly finite?: boolean;
  readonly after?: Position;
  readonly end?: Position | null;
  readonly lastId?: string;
}) {
  const { finite = false, after = START, end = null, lastId } = wanted;
  const received: DeliveredRecord[] = [];
  const said: string[] = [];
  let checkpoint = START;
  let isCaughtUp = false;
  const intake = sessionIntake(
    {
      after,
      end,
      finite,
      types: null,
      size: SIZE,
      signal: new AbortController().signal,
      onlyEvents: false,
      last: lastId === undefined ? null : { id: lastId, behind: START },
      proven: () => said.push('proven'),
      announced: () => said.push('announced'),
      doubted: () => said.push('doubted'),
    },
    {
      take: (most) => received.splice(0, most),
      arrival: async () => received.length > 0,
      isOver: () => false,
      checkpoint: () => checkpoint,
      isCaughtUp: () => isCaughtUp,
      close: () => undefined,
    },
    deliveryOrder(after, null),
  );
  return {
    said,
    receive: (...offsets: readonly number[]) => received.push(...offsets.map(record)),
    reachEnd: (position: Position = START) => {
      checkpoint = position;
      isCaughtUp = true;
    },
    /** Events, position and `caughtUp` of the batch; what the intake answers instead of one. */
    take: () => {
      const taken = intake.take();
      if (taken === null) return 'the last record is gone';
      if (taken.delivered === null) return 'nothing new';
      const { events, position, caughtUp } = taken.delivered.batch;
      return [events.map(({ id }) => id), position, caughtUp];
    },
  };
}

describe('what a session takes from its subscription', () => {
  it('is said once: a check that finds nothing makes no batch', () => {
    const session = begin({ end: at(1) });
    session.receive(1);
    session.reachEnd();
    expect([session.take(), session.take()]).toEqual([[['id-1'], at(1), true], 'nothing new']);
  });

  it('is whole once every record that has arrived is taken, also later', () => {
    const session = begin({ end: at(3) });
    session.receive(1, 2, 3);
    session.reachEnd();
    expect([session.take(), session.take()]).toEqual([
      [['id-1', 'id-2'], at(2), false],
      [['id-3'], at(3), true],
    ]);
    session.receive(4, 5, 6);
    expect([session.take(), session.take()]).toEqual([
      [['id-4', 'id-5'], at(5), false],
      [['id-6'], at(6), true],
    ]);
  });

  it('is said again when the end is reached without a further event', () => {
    const session = begin({ end: at(2) });
    session.receive(1);
    expect(session.take()).toEqual([['id-1'], at(1), false]);
    session.reachEnd();
    expect(session.take()).toEqual([[], at(2), true]);
    const begun = begin({ after: at(1), end: at(1), finite: true });
    expect([begun.take(), begun.take()]).toEqual([[[], at(1), true], 'nothing new']);
  });

  it('is whole at the end with which a finite read began, although more has arrived', () => {
    const session = begin({ finite: true, end: at(2) });
    session.receive(1, 2, 3);
    expect(session.take()).toEqual([['id-1', 'id-2'], at(2), true]);
  });

  it('reaches a checkpoint past its end without events, and tells when the server has no more', () => {
    const session = begin({ end: at(5) });
    expect([session.take(), session.said]).toEqual(['nothing new', []]);
    session.reachEnd(at(7));
    expect([session.take(), session.said]).toEqual([[[], at(7), true], ['announced']]);
  });

  it('proves a log with its last record, once, and delivers only what follows', () => {
    const session = begin({ after: at(1), lastId: 'id-1' });
    session.receive(1, 2);
    expect([session.take(), session.take(), session.said]).toEqual([
      [['id-2'], at(2), false],
      'nothing new',
      ['proven'],
    ]);
  });

  it('ends without a batch if another record comes at the place of the last one, or none', () => {
    const other = begin({ after: at(1), lastId: 'id-of-before' });
    other.receive(1, 2);
    const none = begin({ after: at(1), lastId: 'id-1' });
    none.reachEnd();
    expect([other.take(), none.take()]).toEqual(['the last record is gone', 'the last record is gone']);
    expect([other.said, none.said]).toEqual([[], ['announced']]);
  });
});
