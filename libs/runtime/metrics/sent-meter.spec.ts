import { Registry } from 'prom-client';
import type { NewEvent } from '#kernel/ports/event-store.port.js';
import { callMeter, sentMeter, type MeterCall } from './sent-meter.js';
import { serviceMeter, type Meter } from './service-meter.js';

const event = (type: string, data: NewEvent['data']): NewEvent => ({
  id: 'an id',
  type,
  data: { ...data, text: 'a long text' },
  metadata: { workspaceId: '1' },
});

/** One event of each type that is counted by more than its name, and one that is not. */
const EVENTS = [
  event('CreditsHeld', { movementId: 7, product: 'signal', credits: '2500000' }),
  event('CreditsHeld', { movementId: 8, product: 'import', credits: '4000000' }),
  event('CreditsCaptured', { movementId: 7 }),
  event('CreditsReleased', { movementId: 8 }),
  event('SignalDetected', { signalType: 'newJob' }),
  event('BatchCompleted', { dropped: 3 }),
  event('RunLaunched', { trigger: 'manual', runs: [1, 2] }),
  event('RunEnded', { outcome: 'completed' }),
  event('CompanyClaimed', { name: 'Acme' }),
];

function report(meter: Meter): void {
  meter.appended(EVENTS, 0.003);
  meter.committed(0.002);
  meter.refused('insufficient-credits');
  meter.readModelsLate();
  meter.polled({ kind: 'board', outcome: 'read', items: 2, bytes: 30 });
  meter.attempted('delivered');
  meter.failed();
}

async function metricsOf(reporting: (meter: Meter) => void): Promise<string> {
  const registry = new Registry();
  const meter = serviceMeter(registry);
  reporting(meter);
  const { held, captured, released } = meter.movements;
  const movements = [held, captured, released].map(({ movements: count, credits }) => [
    [...count.entries()],
    [...credits.entries()],
  ]);
  return `${await registry.metrics()}${JSON.stringify(movements)}`;
}

describe('a meter of a thread', () => {
  it('counts on the meter of the process what it would count by itself', async () => {
    const sent = await metricsOf((meter) => {
      const messages: (readonly MeterCall[])[] = [];
      const own = sentMeter((calls) => messages.push(structuredClone(calls)));
      report(own);
      own.flush();
      for (const call of messages.flat()) callMeter(meter, call);
    });
    expect(sent).toBe(await metricsOf(report));
  });

  it('sends nothing of an event that is not counted', () => {
    const messages: string[] = [];
    const own = sentMeter((calls) => messages.push(JSON.stringify(calls)));
    report(own);
    own.flush();
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('CreditsHeld');
    expect(messages[0]).not.toMatch(/long text|Acme|workspaceId/);
  });
});
