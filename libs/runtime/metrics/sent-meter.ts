import type { NewEvent } from '#kernel/ports/event-store.port.js';
import { countedPart } from './appended-tallies.js';
import type { Meter } from './service-meter.js';

type Arguments = { readonly [Name in keyof Meter]: Parameters<Meter[Name]> };
type Called = { readonly [Name in keyof Arguments]: (...of: Arguments[Name]) => void };

/** A call of a meter, as a message. */
export type MeterCall<Name extends keyof Arguments = keyof Arguments> = {
  readonly [One in Name]: { readonly name: One; readonly of: Arguments[One] };
}[Name];

const GATHERED_FOR_MS = 100;

/** A meter of a thread: its calls are sent to the meter of the process, gathered for at most 100 ms. */
export function sentMeter(
  send: (calls: readonly MeterCall[]) => void,
): Meter & { readonly flush: () => void } {
  let calls: MeterCall[] = [];
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (calls.length === 0) return;
    send(calls);
    calls = [];
  };
  const note = (call: MeterCall): void => {
    calls.push(call);
    timer ??= setTimeout(flush, GATHERED_FOR_MS).unref();
  };
  return {
    // An event may have kilobytes, and a message is a copy.
    appended: (events: readonly NewEvent[], seconds) =>
      note({ name: 'appended', of: [events.map(countedPart), seconds] }),
    committed: (...of) => note({ name: 'committed', of }),
    refused: (...of) => note({ name: 'refused', of }),
    readModelsLate: (...of) => note({ name: 'readModelsLate', of }),
    polled: (...of) => note({ name: 'polled', of }),
    attempted: (...of) => note({ name: 'attempted', of }),
    failed: (...of) => note({ name: 'failed', of }),
    flush,
  };
}

/** Makes a call of a thread on the meter of the process. */
export function callMeter<Name extends keyof Arguments>(meter: Called, { name, of }: MeterCall<Name>): void {
  meter[name](...of);
}
