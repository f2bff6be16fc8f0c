import { fromStored } from '#kernel/values/credits.js';
import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';

/** A charge as its events tell it, with the number of findings that name it. */
export type RecountedCharge = {
  readonly id: number;
  readonly kind: string;
  readonly amount: bigint;
  readonly runId: number | null;
  readonly launchId: number | null;
  readonly status: 'held' | 'captured' | 'released';
  /** The signals that it paid for. */
  readonly signals: readonly number[];
  /** Signals, analysed people, completed requests or months that name it. */
  readonly findings: number;
};

/** The events of one workspace in order, counted without any read model or fold of the product. */
export type RecountedLog = {
  readonly of: (type: string) => readonly StoredEvent[];
  readonly charges: readonly RecountedCharge[];
  /** Grants less withdrawals, held and captured credits. */
  readonly balance: bigint;
};

export async function recountedLog(store: EventStore, workspaceId: number): Promise<RecountedLog> {
  const events: StoredEvent[] = [];
  for await (const batch of store.readAll({}))
    events.push(...batch.events.filter(({ metadata }) => metadata['workspaceId'] === String(workspaceId)));
  const of = (type: string): readonly StoredEvent[] => events.filter((event) => event.type === type);
  const numbers = (type: string, name: string): readonly number[] =>
    of(type).map(({ data }) => Number(data[name]));
  const [captured, released] = [
    numbers('CreditsCaptured', 'movementId'),
    numbers('CreditsReleased', 'movementId'),
  ];
  const completed = numbers('ContentRequestCompleted', 'requestId');
  const analysed = of('ProfilesMapped').flatMap(({ data }) =>
    listIn(data['profiles']).map(({ movementId }) => movementId),
  );

  const charges = of('CreditsHeld').map(({ data }): RecountedCharge => {
    const { kind, runId, launchId, requestId } = Object(data['cause']);
    const id = Number(data['movementId']);
    const signals = of('SignalDetected')
      .filter((signal) => signal.data['movementId'] === id)
      .map((signal) => Number(signal.data['detectionId']));
    const found: { readonly [kind: string]: number } = {
      signal: signals.length,
      profile: analysed.filter((movementId) => movementId === id).length,
      monitoring: 1,
    };
    return {
      id,
      kind,
      amount: fromStored(String(data['credits'])),
      runId: runId ?? null,
      launchId: launchId ?? null,
      status: captured.includes(id) ? 'captured' : released.includes(id) ? 'released' : 'held',
      signals,
      findings: found[kind] ?? completed.filter((request) => request === requestId).length,
    };
  });
  const granted = ['CreditsGranted', 'CreditsAdjusted']
    .flatMap((type) => of(type))
    .reduce((sum, { data }) => sum + fromStored(String(data['credits'])), 0n);
  const spent = charges
    .filter(({ status }) => status !== 'released')
    .reduce((sum, { amount }) => sum + amount, 0n);
  return { of, charges, balance: granted - spent };
}

// The shape is that of the events.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const listIn = (value: unknown): readonly any[] => (Array.isArray(value) ? value : []);
