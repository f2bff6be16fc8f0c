import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { LeaseLost } from '#kernel/ports/read-store.port.js';
import { troubleLine } from './trouble-line.js';

describe('trouble besides an operator command', () => {
  it('is one line for a person, without control characters', () => {
    expect(troubleLine('projections of all', new StoreUnavailable('views.db is locked'))).toBe(
      'projections of all: views.db is locked',
    );
    expect(troubleLine('end', '\u001b[2J')).toBe('end: \\u001b[2J');
  });

  it('is not shown if only a read model was late, or if another process goes on with it', () => {
    expect(troubleLine('read models of notes-1 were late', null)).toBeNull();
    expect(troubleLine('projections of all', new LeaseLost('all'))).toBeNull();
  });
});
