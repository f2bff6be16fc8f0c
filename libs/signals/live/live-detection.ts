import type { LeaseStore } from '#kernel/ports/read-store.port.js';
import { everyBeat } from '#kernel/commands/beat.js';
import { DAY_MS, MINUTE_MS } from '#kernel/values/durations.js';
import type { Arrival, ArrivalReader, NetworkArrivals } from '#network/arrivals.port.js';
import type { ProcessHost } from '#process-engine/process.js';
import { holdLease, type HeldLease } from '#projection-engine/held-lease.js';
import { companiesAskedFor, companiesKey, type CompaniesAskedFor } from './companies-asked-for.js';
import { isTooSoon } from '#signals/domain/launches/launches.js';
import { liveArrivals } from './involved-companies.js';
import { LIVE_DETECTION, launchLivePass } from './launch-live-pass.js';
import {
  questionIndex,
  questionKey,
  type QuestionIndex,
  type StandingQuestion,
} from './standing-questions.js';

const LOOK_EVERY_MS = 1_000;
/** After a failure, and by the next worker, the arrivals of this time are read again; known findings are left out. */
const TAKEN_OVER_MS = 5 * MINUTE_MS;
/** The look-back of a daily pass that follows another one (D-04): older arrivals are left to it. */
const LOOKBACK_MS = 4 * DAY_MS;
/** Arrivals may be dated this far ahead, because the clocks of sources and hosts differ; later ones are left to it. */
const AHEAD_MS = MINUTE_MS;
const ARRIVALS_AT_ONCE = 500;
/** During a long ingest the touched questions are searched after this many reads. */
const READS_AT_ONCE = 20;
const LOOKS_AT_ONCE = 2;

export type LiveDetectionParts = {
  readonly host: ProcessHost;
  readonly arrivals: NetworkArrivals;
  readonly leases: LeaseStore;
  /** The name of this process as a lease holder. */
  readonly holder: string;
  /** Calls back when the covered or found accounts may have changed. Returns a function that unsubscribes. */
  readonly watchAccounts: (moved: () => void) => () => void;
  /** Calls back when the log was reset to an older one: the questions were read up to a place of the lost log. */
  readonly whenSetBack: (setBack: () => void) => void;
  readonly onError: (what: string, error: unknown) => void;
};

/** The in-memory state of the lease holder. */
type Watch = {
  readonly lease: HeldLease;
  /** Replaced after a failure: arrivals that were read and not yet matched are read again. */
  reader: ArrivalReader;
  readonly questions: QuestionIndex;
  readonly companies: CompaniesAskedFor;
  /** Questions with an arrival since they were last searched. */
  readonly touched: Map<string, Touched>;
  /** When each question was last searched, in product time, in milliseconds. */
  readonly lookedAt: Map<string, number>;
};

type Touched = {
  readonly question: StandingQuestion;
  /** The dates of its arrivals, in milliseconds; null: only the rest of a stopped live pass is searched. */
  readonly dates: { readonly oldestMs: number; readonly newestMs: number } | null;
};

/** Launches live passes. Only the worker that holds the lease does. */
export function liveDetection(parts: LiveDetectionParts) {
  const { host, arrivals, leases, holder } = parts;
  const stopping = new AbortController();
  let watch: Watch | null = null;
  let found = 0;
  let looking: Promise<unknown> = Promise.resolve();
  const ends: (() => void)[] = [];
  parts.whenSetBack(() => {
    looking = looking.then(release).catch((error: unknown) => parts.onError(LIVE_DETECTION, error));
  });

  const recent = (): ArrivalReader => arrivals.ofLast(TAKEN_OVER_MS);

  /** Null while another worker holds the lease. */
  async function held(): Promise<Watch | null> {
    if (watch !== null) return watch;
    const lease = await holdLease(leases, LIVE_DETECTION, holder);
    if (lease === null) return null;
    lease.onLost(() => (watch = null));
    watch = {
      lease,
      reader: recent(),
      questions: questionIndex(host),
      companies: companiesAskedFor(host),
      touched: new Map(),
      lookedAt: new Map(),
    };
    return watch;
  }

  async function release(): Promise<void> {
    const mine = watch;
    watch = null;
    await mine?.lease.release();
  }

  async function look(): Promise<void> {
    if (stopping.signal.aborted) return;
    const mine = await held();
    if (mine === null) return;
    try {
      for (let more = true; more && !stopping.signal.aborted;) {
        more = await readArrivals(mine);
        await lookAtTouched(parts, mine, stopping.signal, () => (found += 1));
      }
    } finally {
      // A process that does no work, such as an api in which an operator drains it, would keep the workers from it.
      if (ends.length === 0) await release();
    }
  }

  /** False if there are no more arrivals now. */
  async function readArrivals(mine: Watch): Promise<boolean> {
    try {
      for (let reads = 0; reads < READS_AT_ONCE && !stopping.signal.aborted; reads += 1) {
        const arrived = await mine.reader.next(ARRIVALS_AT_ONCE);
        if (arrived.length === 0) return false;
        // After the arrivals: a question that was there before one of them arrived is known now.
        await mine.questions.refresh(stopping.signal);
        await touch(host, mine, arrived);
      }
      return true;
    } catch (error) {
      mine.reader = recent();
      throw error;
    }
  }

  /** Concurrent calls share one search at a time. */
  function inTurn(): Promise<void> {
    const mine = looking.then(look, look);
    looking = mine.catch(() => undefined);
    return mine;
  }

  function beat(): () => void {
    let isLooking = false;
    return everyBeat(LOOK_EVERY_MS, () => {
      if (isLooking) return;
      isLooking = true;
      void inTurn()
        .catch((error: unknown) => parts.onError(LIVE_DETECTION, error))
        .finally(() => (isLooking = false));
    });
  }

  return {
    /** Processes everything that has arrived until now. */
    catchUp(): Promise<void> {
      watch?.companies.forget();
      return inTurn();
    },
    /** The number of live passes launched so far, also in the background. */
    found: (): number => found,
    start(): void {
      if (ends.length > 0) return;
      ends.push(
        beat(),
        parts.watchAccounts(() => watch?.companies.forget()),
      );
    },
    async stop(): Promise<void> {
      stopping.abort();
      for (const end of ends) end();
      await looking;
      await release();
    },
  };
}

/** Records the questions that these arrivals may answer. */
async function touch(host: ProcessHost, watch: Watch, arrived: readonly Arrival[]): Promise<void> {
  const asked = new Map<Arrival, readonly StandingQuestion[]>();
  for (const arrival of arrived) {
    const questions = watch.questions.matching(arrival.kind, arrival.text);
    if (questions.length > 0) asked.set(arrival, questions);
  }
  if (asked.size === 0) return;
  const now = host.clock.now().getTime();
  const window = { after: new Date(now - LOOKBACK_MS), until: new Date(now + AHEAD_MS) };
  const live = await liveArrivals(host, [...asked.keys()], window);
  const companies = await watch.companies.of(
    new Set(live.flatMap(({ arrival }) => asked.get(arrival) ?? [])),
  );
  for (const { arrival, atMs, companyRefs } of live) {
    for (const question of asked.get(arrival) ?? []) {
      const about = companiesKey(question);
      const wanted = about === null ? null : companies.get(about);
      if (wanted !== null && ![...companyRefs].some((ref) => wanted?.has(ref))) continue;
      const key = questionKey(question);
      const dates = watch.touched.get(key)?.dates ?? null;
      watch.touched.set(key, {
        question,
        dates: {
          oldestMs: Math.min(atMs, dates?.oldestMs ?? atMs),
          newestMs: Math.max(atMs, dates?.newestMs ?? atMs),
        },
      });
    }
  }
}

/** Searches each touched question whose last search is long enough ago. */
async function lookAtTouched(
  { host, onError }: LiveDetectionParts,
  { touched, lookedAt, lease }: Watch,
  signal: AbortSignal,
  onLaunched: () => void,
): Promise<void> {
  const now = host.clock.now().getTime();
  for (const [key, at] of lookedAt) if (!isTooSoon(at, now)) lookedAt.delete(key);
  const isDue = ([key, { dates }]: readonly [string, Touched]): boolean =>
    !lookedAt.has(key) && (dates === null || dates.oldestMs <= now);
  const due = [...touched].filter(isDue).values();
  const lookAtEach = async (): Promise<void> => {
    for (const [key, { question, dates }] of due) {
      if (signal.aborted) return;
      lease.fence();
      lookedAt.set(key, now);
      try {
        // The search begins after a date and must include the oldest arrival.
        const outcome = await launchLivePass(host, question, dates && dates.oldestMs - 1, signal);
        if (outcome === 'busy') continue;
        if (outcome === 'made') onLaunched();
        if (dates !== null && dates.newestMs > now)
          touched.set(key, { question, dates: { ...dates, oldestMs: now } });
        // A launch may stop the live pass; its rest is searched then.
        else if (outcome === 'made') touched.set(key, { question, dates: null });
        else touched.delete(key);
      } catch (error) {
        // The question stays touched and is searched again.
        if (!signal.aborted) onError(`${LIVE_DETECTION} ${key}`, error);
      }
    }
  };
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, lookAtEach));
}
