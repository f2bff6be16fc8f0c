import type { NewEvent } from '#kernel/ports/event-store.port.js';
import type { Shortage } from '#ledger/domain/hold-credits.js';
import { RUN_OUTCOMES, RUN_TRIGGERS } from '#signals/domain/launches/launch.events.js';
import { movementTally, type MovementTally } from './movement-tally.js';
import { tally, tallyOf, type Tally } from './tally.js';

/** Sums of the events that this process has appended since its start. */
export type AppendedTallies = {
  readonly note: (events: readonly NewEvent[]) => void;
  readonly events: Tally;
  readonly movements: MovementTally;
  /** By signal type. */
  readonly detections: Tally;
  /** Runs by what started their launch. */
  readonly launchedRuns: Tally;
  /** Runs by outcome. */
  readonly endedRuns: Tally;
  /** Matches without payment, by what reduced their hold. */
  readonly droppedMatches: Tally;
};

const SHORTAGES: readonly Shortage[] = ['credits', 'cap', 'budget'];
/** More than the number of event types, so that each has its own sum. */
const MOST_TYPES = 500;

/** The members of the data that are counted, of all types. */
const COUNTED = [
  'movementId',
  'product',
  'credits',
  'signalType',
  'dropped',
  'trigger',
  'runs',
  'outcome',
  'dryBy',
];
const COUNTED_TYPES = new Set([
  'CreditsHeld',
  'CreditsCaptured',
  'CreditsReleased',
  'SignalDetected',
  'BatchCompleted',
  'RunLaunched',
  'RunEnded',
]);

/** An event with only what the tallies read of it. */
export function countedPart({ id, type, data }: NewEvent): NewEvent {
  if (!COUNTED_TYPES.has(type)) return { id, type, data: {}, metadata: {} };
  const counted = Object.entries(data).filter(([name]) => COUNTED.includes(name));
  return { id, type, data: Object.fromEntries(counted), metadata: {} };
}

export function appendedTallies(): AppendedTallies {
  const events = tally(MOST_TYPES);
  const movements = movementTally();
  const detections = tally();
  const launchedRuns = tallyOf(RUN_TRIGGERS);
  const endedRuns = tallyOf(RUN_OUTCOMES);
  const droppedMatches = tallyOf(SHORTAGES);

  const noteOne = ({ type, data }: NewEvent): void => {
    events.add(type);
    switch (type) {
      case 'CreditsHeld':
        movements.hold(Number(data['movementId']), {
          product: String(data['product']),
          credits: String(data['credits']),
        });
        break;
      case 'CreditsCaptured':
        movements.end('captured', Number(data['movementId']));
        break;
      case 'CreditsReleased':
        movements.end('released', Number(data['movementId']));
        break;
      case 'SignalDetected':
        detections.add(String(data['signalType']));
        break;
      case 'BatchCompleted':
        droppedMatches.add(String(data['dryBy'] ?? 'credits'), Number(data['dropped']));
        break;
      case 'RunLaunched':
        launchedRuns.add(String(data['trigger']), Array.isArray(data['runs']) ? data['runs'].length : 0);
        break;
      case 'RunEnded':
        endedRuns.add(String(data['outcome']));
        break;
    }
  };

  return {
    note: (appended) => appended.forEach(noteOne),
    events,
    movements,
    detections,
    launchedRuns,
    endedRuns,
    droppedMatches,
  };
}
