import { createLogger } from '#http/log.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { LeaseLost } from '#kernel/ports/read-store.port.js';
import type { Span } from '#kernel/ports/tracing.port.js';
import { troubleLog } from './trouble-log.js';

const IDS = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' };
const span: Span = {
  traceparent: `00-${IDS.trace_id}-${IDS.span_id}-01`,
  note: () => undefined,
  fail: () => undefined,
  end: () => undefined,
};

/** The log lines and the number of failures for an error that ended a span. */
function logged(trouble: unknown, traced: unknown) {
  const lines: string[] = [];
  let failures = 0;
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
  const failedBy = (error: unknown): Span | null => (error === traced ? span : null);
  troubleLog(logger, () => (failures += 1), { failedBy })('a process 7', trouble);
  return { failures, lines: lines.map((line) => JSON.parse(line)) };
}

describe('trouble of background work', () => {
  it('is one line with its stack and the failed span', () => {
    const error = new Error('no luck');
    const { failures, lines } = logged(error, error);
    expect(failures).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ what: 'a process 7', ...IDS, err: { message: 'no luck' } });
  });

  it('names no span if none failed', () => {
    const { lines } = logged(new Error('no luck'), new Error('no luck'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toHaveProperty('trace_id');
    expect(lines[0]).not.toHaveProperty('span_id');
  });

  it('has no stack if a store is unavailable, and does not count as a failure if something is late', () => {
    const away = new StoreUnavailable('nobody there');
    const waiting = logged(away, away);
    expect(waiting).toMatchObject({ failures: 1, lines: [{ reason: 'nobody there', ...IDS }] });
    expect(waiting.lines[0]).not.toHaveProperty('err');
    const lost = new LeaseLost('all');
    expect(logged(lost, lost).lines[0]).toMatchObject({
      reason: 'the lease all was taken by another process',
    });
    const late = logged(null, away);
    expect(late).toMatchObject({ failures: 0, lines: [{ what: 'a process 7', msg: 'late' }] });
  });
});
