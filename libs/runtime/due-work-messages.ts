import type { Drained } from '#process-engine/drain-work.js';
import type { CarriedError } from '#read-store/sqlite/fill-messages.js';
import type { SharedWriteOrder } from '#read-store/sqlite/write-order.js';
import type { WrittenEvents } from '#kernel/ports/progress.port.js';
import type { SharedCount } from './gathered-events.js';
import type { MeterCall } from './metrics/sent-meter.js';

/** The data that the thread gets at its start. The settings it reads from the environment, as the process did. */
export type DueWorkOrder = { readonly turns: SharedWriteOrder; readonly commitsBeside: SharedCount };

/** Messages of the event loop to the thread that does the due work. */
export type ToDueWork =
  /** These views have folded events. */
  | { readonly kind: 'moved'; readonly views: readonly string[] }
  /** The answer to a `reach`. */
  | { readonly kind: 'reached'; readonly id: number; readonly reached: boolean }
  | { readonly kind: 'drain'; readonly id: number }
  | { readonly kind: 'stop' };

/** Messages of the thread to the event loop. */
export type FromDueWork =
  /** The stores are open, and due work begins. */
  | { readonly kind: 'started' }
  /** The thread ends: with this reason if it could not start, null after a `stop`. */
  | { readonly kind: 'ending'; readonly reason: string | null }
  /** The thread wants a message when one of these views has moved; earlier lists are void. */
  | { readonly kind: 'watch'; readonly views: readonly string[] }
  | {
      readonly kind: 'reach';
      readonly id: number;
      readonly written: WrittenEvents;
      readonly timeoutMs: number;
    }
  | { readonly kind: 'drained'; readonly id: number; readonly drained: Drained }
  | { readonly kind: 'not drained'; readonly id: number; readonly error: CarriedError }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'metered'; readonly calls: readonly MeterCall[] }
  /** Spans of the thread stop reaching the collector for this reason; null: they reach it again. */
  | { readonly kind: 'collector'; readonly lost: string | null };
