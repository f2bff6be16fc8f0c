import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { loggedDelivery } from './logged-delivery.js';

/** The reports for deliveries with these results, one after the other. */
function linesOf(ends: readonly (Error | 'fails' | 'arrives')[]): readonly string[] {
  const lines: string[] = [];
  const left = [...ends];
  const exporter: SpanExporter = {
    export(_spans, done) {
      const end = left.shift();
      if (end === 'arrives') done({ code: 0 });
      else done(end instanceof Error ? { code: 1, error: end } : { code: 1 });
    },
    shutdown: async () => undefined,
  };
  const listened = loggedDelivery(exporter, {
    lost: (reason) => lines.push(`lost: ${reason}`),
    back: () => lines.push('back'),
  });
  let handedOn = 0;
  for (const _end of ends) listened.export([], () => (handedOn += 1));
  expect(handedOn).toBe(ends.length);
  return lines;
}

describe('the delivery of spans', () => {
  it('is reported when it begins to fail and when it succeeds again, not for each failure', () => {
    expect(linesOf(['arrives', new Error('away'), new Error('still away'), 'arrives', 'arrives'])).toEqual([
      'lost: away',
      'back',
    ]);
    expect(linesOf(['fails', 'arrives', 'fails'])).toEqual(['lost: unknown', 'back', 'lost: unknown']);
  });

  it('is reported in one line: the first line of the error, or its code if the message is empty', () => {
    expect(linesOf([new Error('Bad Request\nat a place')])).toEqual(['lost: Bad Request']);
    expect(linesOf([Object.assign(new Error(''), { code: 'ECONNREFUSED' })])).toEqual(['lost: ECONNREFUSED']);
    expect(linesOf([new Error('')])).toEqual(['lost: Error']);
  });
});
