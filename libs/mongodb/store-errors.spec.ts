import { MongoNetworkError, MongoServerError, MongoTopologyClosedError } from 'mongodb';
import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { storeError } from './store-errors.js';

const PLACE = 'mongodb://127.0.0.1:1/views';
const coded = (message: string, code: string): Error => Object.assign(new Error(message), { code });
const ofServer = (code: number): MongoServerError => new MongoServerError({ message: 'no', code });

describe('errors of the MongoDB driver', () => {
  it('a socket that breaks during a request means an unavailable store, also for a raw error', () => {
    for (const error of [
      coded('This socket has been ended by the other party', 'EPIPE'),
      coded('read ECONNRESET', 'ECONNRESET'),
      coded('Cannot call write after a stream was destroyed', 'ERR_STREAM_DESTROYED'),
      new MongoNetworkError('connection 7 closed'),
    ]) {
      expect(storeError(error, PLACE, true)).toBeInstanceOf(StoreUnavailable);
      // A write may have arrived before it broke.
      expect(storeError(error, PLACE, true)).toMatchObject({ outcome: 'unknown', cause: error });
      expect(storeError(error, PLACE, false)).toMatchObject({ outcome: 'nothing-written' });
    }
  });

  it('without a connection nothing was written; without a primary the outcome is unknown', () => {
    expect(storeError(new MongoTopologyClosedError('closed'), PLACE, true)).toMatchObject({
      name: 'StoreUnavailable',
      outcome: 'nothing-written',
    });
    for (const code of [91, 189, 10_107, 11_600]) {
      expect(storeError(ofServer(code), PLACE, true)).toMatchObject({ outcome: 'unknown' });
    }
  });

  it('a refused login is for an operator, and a bug of ours stays unchanged', () => {
    for (const code of [13, 18, 8_000]) {
      expect(storeError(ofServer(code), PLACE, true)).toBeInstanceOf(StoreUnusable);
    }
    for (const ours of [ofServer(2), coded('bad', 'ERR_INVALID_ARG_TYPE'), new TypeError('bad'), 'text']) {
      expect(storeError(ours, PLACE, true)).toBe(ours);
    }
  });
});
