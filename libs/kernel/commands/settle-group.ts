import { StoreUnavailable, WrongExpectedRevision, type StoredEvent } from '../ports/event-store.port.js';
import type { Forgotten, Recalled } from '../ports/recall.port.js';
import { answerFound, answerDecided, type Pending } from './answering.js';
import { appendPatiently } from './append-patiently.js';
import { whileAppending } from './background-turn.js';
import { decideRound } from './decide-round.js';
import { backoffMs, pause } from './retry.js';
import type { Outcomes, SettlingStream, SettlingState, StepAt } from './settling.js';
import type { OwnEvents } from './stream-memory.js';

/**
 * After a conflict the pauses are short: with long pauses a writer would meet a conflict again each time, because other
 * writers do not wait.
 */
const LONGEST_BACKOFF = 2;
/** Look-ups without a result before the whole stream is read. */
const MAX_RECALLS = 3;

const DECIDING = { at: 'deciding', atMost: Infinity } as const;

/** Answers every command of a group, state by state, or throws and leaves the unanswered commands in `open`. */
export async function settleGroup(on: SettlingStream, open: Set<Pending>): Promise<void> {
  const group = new Group(on, open);
  let step: SettlingState = { at: 'looking' };
  while (step.at !== 'settled') {
    const next: SettlingState | Promise<SettlingState> = group.after(step);
    step = next instanceof Promise ? await next : next;
  }
}

class Group {
  /** The store was read or written after the whole group had arrived: a refusal on the state in memory is final. */
  private isProven = false;
  private conflicts = 0;
  private recalls = 0;

  constructor(
    private readonly on: SettlingStream,
    private readonly open: Set<Pending>,
  ) {}

  after(step: Exclude<SettlingState, { readonly at: 'settled' }>): SettlingState | Promise<SettlingState> {
    switch (step.at) {
      case 'looking':
        return this.look();
      case 'reading':
        return this.read();
      case 'deciding':
        return this.decide(step.atMost);
      case 'recalling':
        return this.recall(step.asking);
      case 'isolating':
        return this.isolate(step);
      case 'confirming':
        return this.confirm(step.outcomes);
      case 'appending':
        return this.append(step);
      case 'catchingUp':
        return this.catchUp(step);
      case 'answering':
        return this.answer(step);
    }
  }

  /**
   * Reads before the first decision where a read is cheaper: to find a command that may have been carried out, or to
   * catch up with a stream that other processes write to, because a conflict costs a write.
   */
  private async look(): Promise<SettlingState> {
    const { memory, doubts, rivals } = this.on;
    const contexts = [...this.open].map(({ context }) => context);
    const since = least(contexts.flatMap(({ mayBeDoneSince }) => mayBeDoneSince ?? []));
    const after = least(contexts.flatMap(({ mayBeDoneAfter }) => mayBeDoneAfter ?? []));
    if (since !== null || after !== null) {
      await memory.readTail();
      this.answerFound(await memory.findRecent(this.ownEvents(-1n), { since, after }));
      this.isProven = true;
    }
    const doubtfulAfter = doubts.earliestOf(this.commandIds());
    if (doubtfulAfter !== null) {
      await memory.readTail();
      this.answerFound(await memory.find(this.ownEvents(doubtfulAfter)));
      this.isProven = true;
    }
    if (!this.isProven && memory.loaded && rivals.mayWrite()) {
      if (await this.refresh()) rivals.seen();
    }
    return DECIDING;
  }

  private async read(): Promise<SettlingState> {
    await this.on.memory.readTail();
    this.isProven = true;
    return DECIDING;
  }

  private decide(atMost: number): SettlingState {
    const { memory } = this.on;
    if (this.open.size === 0) return { at: 'settled' };
    if (!memory.loaded) return { at: 'reading' };
    const rewind = memory.mark();
    const round = decideRound(this.on, this.open, atMost);
    switch (round.kind) {
      case 'asking':
        if (memory.speculating) rewind();
        return { at: 'recalling', asking: round.questions };
      case 'spoiled':
        // The state may contain half of the events.
        rewind();
        return { at: 'isolating', by: round.by, error: round.error, before: round.before };
      case 'decided':
        if (round.events.length > 0)
          return { at: 'appending', outcomes: round.outcomes, events: round.events, rewind };
        // A later write includes the due events.
        if (memory.speculating) rewind();
        return { at: 'confirming', outcomes: round.outcomes };
    }
  }

  /**
   * Adds the facts that decisions ask for to the state, where the repeated decision finds them. If the index cannot
   * answer, the whole stream is read; if reading is refused, the asking decisions are refused.
   */
  private async recall(asking: ReadonlyMap<Pending, Forgotten>): Promise<SettlingState> {
    const { memory, stream } = this.on;
    this.recalls += 1;
    const questions = [...new Set([...asking.values()].flatMap((forgotten) => forgotten.questions))];
    const upTo = [...asking.values()].reduce((last, next) => (next.upTo > last ? next.upTo : last), '');
    let recalled: Recalled | null;
    try {
      const index = this.recalls > MAX_RECALLS ? null : this.on.recall;
      recalled = index === null ? null : await index(stream, questions, upTo);
      // The index may be ahead of this memory. Its answer counts only if the memory has seen as much; otherwise a
      // repetition would be answered with the balance before the repeated command.
      if (recalled !== null) await this.refresh();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      for (const pending of asking.keys()) this.refuse(pending, error);
      return DECIDING;
    }
    if (recalled === null) await memory.readWhole();
    else if (memory.loaded) memory.recall(recalled);
    return DECIDING;
  }

  /** The commands before the throwing command are written first, so that it is decided on facts; then it is refused. */
  private async isolate({ by, error, before }: StepAt<'isolating'>): Promise<SettlingState> {
    if (before > 0) return { at: 'deciding', atMost: before };
    if (this.isProven) this.refuse(by, error);
    else await this.refresh();
    return DECIDING;
  }

  /** Refusals and no-ops on a cached state are final only if no other process has written since. */
  private async confirm(outcomes: Outcomes): Promise<SettlingState> {
    const moved = !this.isProven && (await this.refresh());
    return moved ? DECIDING : { at: 'answering', outcomes, appendedUpTo: null };
  }

  private async append({ outcomes, events, rewind }: StepAt<'appending'>): Promise<SettlingState> {
    const { memory, eventStore, stream, retry, doubts } = this.on;
    const expected = memory.revision - BigInt(events.length);
    try {
      const { position } = await whileAppending(() =>
        appendPatiently(eventStore, stream, expected, events, retry),
      );
      memory.committed(position);
      this.isProven = true;
      return { at: 'answering', outcomes, appendedUpTo: position };
    } catch (error) {
      rewind();
      if (error instanceof WrongExpectedRevision) return { at: 'catchingUp', expected, conflict: error };
      if (error instanceof StoreUnavailable && error.outcome === 'unknown')
        doubts.add(writtenBy(outcomes), expected);
      throw error;
    }
  }

  private async catchUp({ expected, conflict }: StepAt<'catchingUp'>): Promise<SettlingState> {
    const { memory, stream, retry, rivals, mostConflicts } = this.on;
    rivals.seen();
    this.conflicts += 1;
    // The wait comes before the read: the next decision uses the current state.
    if (this.conflicts > 1) await pause(backoffMs(retry, Math.min(this.conflicts, LONGEST_BACKOFF)));
    this.answerFound((await memory.readTail(this.ownEvents(expected))).events);
    this.isProven = true;
    if (this.open.size > 0 && this.conflicts >= mostConflicts) {
      throw new StoreUnavailable(`too many writers at once on ${stream}`, 'nothing-written', {
        cause: conflict,
      });
    }
    return this.inNextTurn();
  }

  private answer({ outcomes, appendedUpTo }: StepAt<'answering'>): SettlingState | Promise<SettlingState> {
    answerDecided(this.on, outcomes, this.open, appendedUpTo);
    // A written command is not in doubt any more: the append of an earlier attempt now fails at its expected revision.
    if (appendedUpTo !== null && this.on.doubts.areLeft()) this.on.doubts.settle(writtenBy(outcomes));
    this.on.memory.keepSnapshot();
    return appendedUpTo === null ? DECIDING : this.inNextTurn();
  }

  /** Other work gets the event loop between two appends. */
  private async inNextTurn(): Promise<SettlingState> {
    if (this.open.size > 0) await this.on.turn.toDecide();
    return DECIDING;
  }

  /**
   * Reads the new events into memory; true if another process had written. Repeated commands found in them are
   * answered.
   */
  private async refresh(): Promise<boolean> {
    const { memory } = this.on;
    const { moved, events } = await memory.readTail(this.ownEvents(memory.revision));
    this.isProven = true;
    this.answerFound(events);
    return moved;
  }

  private answerFound(found: readonly StoredEvent[]): void {
    this.on.doubts.settle(answerFound(this.on, this.open, found));
  }

  private refuse(pending: Pending, error: unknown): void {
    this.open.delete(pending);
    pending.reject(error);
  }

  private commandIds(): readonly string[] {
    return [...this.open].map(({ context }) => context.commandId);
  }

  /** The events of the group's commands after a revision. */
  private ownEvents(after: bigint): OwnEvents {
    return { after, commandIds: new Set(this.commandIds()) };
  }
}

const least = (values: readonly string[]): string | null =>
  values.length === 0 ? null : values.reduce((first, value) => (value < first ? value : first));

/** The commands with events. */
function writtenBy(outcomes: Outcomes): readonly string[] {
  return outcomes.flatMap((outcome) =>
    outcome.kind === 'done' && outcome.events.length > 0 ? [outcome.pending.context.commandId] : [],
  );
}
