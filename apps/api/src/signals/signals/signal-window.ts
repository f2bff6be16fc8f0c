import { endOf, parseInstant, startOf } from '#kernel/values/instants.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { invalidRequest } from '#http/problem.js';

const DEFAULT_DAYS = 90;
const MOST_DAYS = 180;

/** The dates of a signal query as the caller sent them. */
export type SignalDates = {
  readonly signal_start_date?: string;
  readonly signal_end_date?: string;
  readonly detection_start_date?: string;
  readonly detection_end_date?: string;
};

/** Inclusive bounds (RFC 3339, UTC, milliseconds); null is open. */
export type SignalWindow = {
  readonly signalFrom: string | null;
  readonly signalTo: string | null;
  readonly detectedFrom: string | null;
  readonly detectedTo: string | null;
};

/**
 * The window of a v2 query (OP-39): signals of the last 90 days unless a start is given, never older than 180 days.
 * With a run and no dates, the window is counted from the launch of the run, so that the query keeps returning its
 * signals.
 */
export function signalWindow(dates: SignalDates, now: Date, runCreatedAt: string | null): SignalWindow {
  const sent = readDates(dates);
  const start = startByRun(sent, runCreatedAt) ?? signalStart(sent.signalFrom, now);
  return checked(
    {
      signalFrom: start.toISOString(),
      signalTo: sent.signalTo?.toISOString() ?? null,
      detectedFrom: sent.detectedFrom?.toISOString() ?? null,
      detectedTo: sent.detectedTo?.toISOString() ?? null,
    },
    sent,
  );
}

/**
 * The window of a v3 query (OP-41): detections of the last 90 days, whatever the date of the signal, as the stats of
 * a setup count them; given signal dates narrow it as in v2, and so does a run without dates.
 */
export function signalWindowV3(dates: SignalDates, now: Date, runCreatedAt: string | null): SignalWindow {
  const sent = readDates(dates);
  if (sent.signalFrom !== null || sent.signalTo !== null) return signalWindow(dates, now, null);
  const detectedFrom = startByRun(sent, runCreatedAt) ?? signalStart(sent.detectedFrom, now);
  return checked(
    {
      signalFrom: null,
      signalTo: null,
      detectedFrom: detectedFrom.toISOString(),
      detectedTo: sent.detectedTo?.toISOString() ?? null,
    },
    sent,
  );
}

/** The start for a run without any date: its signals stay in the window however old the run is (SIG-28). */
function startByRun(sent: SentDates, runCreatedAt: string | null): Date | null {
  const undated = Object.values(sent).every((date) => date === null);
  return undated && runCreatedAt !== null ? daysBefore(new Date(runCreatedAt), DEFAULT_DAYS) : null;
}

function signalStart(sent: Date | null, now: Date): Date {
  if (sent === null) return daysBefore(now, DEFAULT_DAYS);
  const earliest = daysBefore(now, MOST_DAYS);
  return sent < earliest ? earliest : sent;
}

/** An end before a given start is a fault; an end before the default start gives an empty result. */
function checked(window: SignalWindow, sent: SentDates): SignalWindow {
  const faults = new Map<string, readonly string[]>();
  const signals = faultOf(sent.signalFrom, window.signalFrom, window.signalTo, 'signal_end_date');
  if (signals !== null) faults.set('signal_start_date', [signals]);
  const detections = faultOf(sent.detectedFrom, window.detectedFrom, window.detectedTo, 'detection_end_date');
  if (detections !== null) faults.set('detection_start_date', [detections]);
  if (faults.size > 0) throw invalidRequest('body', 400, faults);
  return window;
}

/** The fault of a given start. If it was moved, the caller did not send it after the end. */
function faultOf(sent: Date | null, from: string | null, to: string | null, end: string): string | null {
  if (sent === null || from === null || to === null || from <= to) return null;
  return sent.toISOString() === from
    ? `must not be after ${end}`
    : `is at most ${MOST_DAYS} days ago, which is after ${end}`;
}

type SentDates = ReturnType<typeof readDates>;

function readDates(dates: SignalDates) {
  return {
    signalFrom: moment(dates.signal_start_date, startOf),
    signalTo: moment(dates.signal_end_date, endOf),
    detectedFrom: moment(dates.detection_start_date, startOf),
    detectedTo: moment(dates.detection_end_date, endOf),
  };
}

function moment(text: string | undefined, edge: typeof startOf): Date | null {
  const instant = text === undefined ? null : parseInstant(text);
  return instant === null ? null : edge(instant);
}

function daysBefore(date: Date, days: number): Date {
  return new Date(date.getTime() - days * DAY_MS);
}
