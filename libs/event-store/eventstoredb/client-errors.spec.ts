import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { failureOf, neverSent, readError } from './client-errors.js';

/** An error as the client throws it: its name is always "Error". */
const clientError = (message: string, kind: { readonly type?: string; readonly code?: number }): Error =>
  Object.assign(new Error(message), kind);

describe('errors of the EventStoreDB client', () => {
  it('are identified by their type: the name is always "Error" and the message often empty', () => {
    const failure = failureOf(clientError('', { type: 'unavailable', code: 14 }));
    expect(failure).toEqual({ type: 'unavailable', code: 14, message: 'unavailable' });
  });

  it('of gRPC have a code and no type, those of discovery have neither', () => {
    expect(failureOf(clientError('14 UNAVAILABLE: gone', { code: 14 }))).toEqual({
      type: null,
      code: 14,
      message: '14 UNAVAILABLE: gone',
    });
    expect(failureOf(new Error('Failed to discover'))).toMatchObject({ type: null, code: null });
    expect(failureOf('a thrown text')).toEqual({ type: null, code: null, message: 'a thrown text' });
  });

  it('are reported without the empty note at the end of gRPC messages', () => {
    const unavailable =
      '14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED 127.0.0.1:1.';
    expect(failureOf(new Error(`${unavailable} Resolution note: `)).message).toBe(unavailable);
    expect(failureOf(new Error(`${unavailable} Resolution note: dns`)).message).toBe(
      `${unavailable} Resolution note: dns`,
    );
  });

  it('mean "never sent" without a connection, and an unknown outcome after a lost one', () => {
    for (const message of [
      '14 UNAVAILABLE: No connection established',
      '14 UNAVAILABLE: Name resolution failed for target dns:nowhere',
      'Failed to discover after 10 attempts.',
    ]) {
      expect([message, neverSent(new Error(message))]).toEqual([message, true]);
    }
    for (const message of ['14 UNAVAILABLE: Connection dropped', 'read ECONNRESET', '']) {
      expect([message, neverSent(new Error(message))]).toEqual([message, false]);
    }
  });

  it('are for an operator for a deleted stream or a position of another log, and temporary otherwise', () => {
    const deleted = readError(clientError('', { type: 'stream-deleted' }), 'stream s-1');
    expect(deleted).toBeInstanceOf(StoreUnusable);
    expect(deleted.message).toContain('stream s-1');
    const strange = readError(clientError('Trying to read from an invalid position.', { code: 3 }), 'all');
    expect(strange).toBeInstanceOf(StoreUnusable);
    for (const type of [
      'unavailable',
      'timeout',
      'cancelled',
      'deadline-exceeded',
      'unknown',
      'access-denied',
    ]) {
      const passing = readError(clientError('', { type }), 'all events');
      expect([type, passing instanceof StoreUnavailable]).toEqual([type, true]);
      expect(passing.message).toContain(type);
    }
    const known = new StoreUnusable('known');
    expect(readError(known, 'all events')).toBe(known);
  });
});
