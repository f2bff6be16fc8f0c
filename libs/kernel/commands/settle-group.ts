import { StoreUnavailable, WrongExpectedRevision, type StoredEvent } from '../ports/event-store.port.js';
import type { Forgotten, Recalled } from '../ports/recall.port.js';
import { tellFound, tellOutcomes, type Pending } from './answering.js';
import { appendPatiently } from './append-patiently.js';
import { decideRound } from './decide-round.js';
import { backoffMs, pause } from './retry.js';
import type { Outcomes, SettlingStream, Step, StepAt } from './settling.js';
import type { OwnEvents } from './stream-memory.js';

/** Losers of a race make no long pauses, or they would lose for ever to those who never wait. */
const LONGEST_BACKOFF = 2;
/** Look-ups that did not settle what was asked, before the stream is read as a whole. */
const MAX_RECALLS = 3;

const DECIDING = { at: 'deciding', atMost: Infinity } as const;

/** Answers every command of a group, step by step, or throws with the unanswered ones still in `open`. */
export async function settleGroup(on: SettlingStream, open: Set<Pending>): Promise<void> {
  const group = new Group(on, open);
  let step: Step = { at: 'looking' };
  while (step.at !== 'settled') {
    const next: Step | Promise<Step> = group.after(step);
    step = next instanceof Promise ? await next : next;
  }
}

class Group {
  /** The store was read or written after the whole group had come: a refusal on what is in memory is final. */
  private isProven = false;
  private conflicts = 0;
  private recalls = 0;

  constructor(
    private readonly on: SettlingStream,
    private readonly open: Set<Pending>,
  ) {}

  after(step: Exclude<Step, { readonly at: 'settled' }>): Step | Promise<Step> {
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
   * Reads before anything is decided where that spares more than it costs: a command that may have been carried out
   * is looked for; a stream that others write to is brought up to date, for a conflict costs a write.
   */
  private async look(): Promise<Step> {
    const { memory, doubts, rivals } = this.on;
    const repeated = [...this.open].flatMap(({ context }) => context.mayBeDoneSince ?? []);
    if (repeated.length > 0) {
      await memory.readTail();
      const since = repeated.reduce((first, time) => (time < first ? time : first));
      this.tellFound(await memory.findSince(this.ownEvents(-1n), since));
      this.isProven = true;
    }
    const doubtfulAfter = doubts.earliestOf(this.commandIds());
    if (doubtfulAfter !== null) {
      await memory.readTail();
      this.tellFound(await memory.find(this.ownEvents(doubtfulAfter)));
      this.isProven = true;
    }
    if (!this.isProven && memory.loaded && rivals.mayWrite()) {
      if (await this.refresh()) rivals.seen();
    }
    return DECIDING;
  }

  private async read(): Promise<Step> {
    await this.on.memory.readTail();
    this.isProven = true;
    return DECIDING;
  }

  private decide(atMost: number): Step {
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
        // Half of it may be in the state.
        rewind();
        return { at: 'isolating', by: round.by, error: round.error, before: round.before };
      case 'decided':
        if (round.events.length > 0)
          return { at: 'appending', outcomes: round.outcomes, events: round.events, rewind };
        // What is due is left to whoever writes.
        if (memory.speculating) rewind();
        return { at: 'confirming', outcomes: round.outcomes };
    }
  }

  /**
   * Brings what decisions ask for into the state, where deciding again finds it. Where an index cannot tell, the
   * whole stream can; where it refuses to, the decisions that asked are refused.
   */
  private async recall(asking: ReadonlyMap<Pending, Forgotten>): Promise<Step> {
    const { memory, stream } = this.on;
    this.recalls += 1;
    const questions = [...new Set([...asking.values()].flatMap((forgotten) => forgotten.questions))];
    const upTo = [...asking.values()].reduce((last, next) => (next.upTo > last ? next.upTo : last), '');
    let recalled: Recalled | null;
    try {
      const index = this.recalls > MAX_RECALLS ? null : this.on.recall;
      recalled = index === null ? null : await index(stream, questions, upTo);
      // The index may be ahead of this memory: what it says is believed only by a memory that has seen as much,
      // or a repetition would be answered with the balance from before what it repeats.
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

  /** Those before the command that threw are written first, so that it is judged on facts; then it is refused. */
  private async isolate({ by, error, before }: StepAt<'isolating'>): Promise<Step> {
    if (before > 0) return { at: 'deciding', atMost: before };
    if (this.isProven) this.refuse(by, error);
    else await this.refresh();
    return DECIDING;
  }

  /** Refusals and no-ops from a cached state are final only when nobody has written since. */
  private async confirm(outcomes: Outcomes): Promise<Step> {
    const moved = !this.isProven && (await this.refresh());
    return moved ? DECIDING : { at: 'answering', outcomes, appendedUpTo: null };
  }

  private async append({ outcomes, events, rewind }: StepAt<'appending'>): Promise<Step> {
    const { memory, eventStore, stream, retry, doubts } = this.on;
    const expected = memory.revision - BigInt(events.length);
    try {
      const { position } = await appendPatiently(eventStore, stream, expected, events, retry);
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

  private async catchUp({ expected, conflict }: StepAt<'catchingUp'>): Promise<Step> {
    const { memory, stream, retry, rivals, mostConflicts } = this.on;
    rivals.seen();
    this.conflicts += 1;
    // The wait comes before the look: what is decided next is decided on what is there now.
    if (this.conflicts > 1) await pause(backoffMs(retry, Math.min(this.conflicts, LONGEST_BACKOFF)));
    this.tellFound((await memory.readTail(this.ownEvents(expected))).events);
    this.isProven = true;
    if (this.open.size > 0 && this.conflicts >= mostConflicts) {
      throw new StoreUnavailable(`too many writers at once on ${stream}`, 'nothing-written', {
        cause: conflict,
      });
    }
    return this.inNextTurn();
  }

  private answer({ outcomes, appendedUpTo }: StepAt<'answering'>): Step | Promise<Step> {
    tellOutcomes(this.on, outcomes, this.open, appendedUpTo);
    this.on.memory.keepSnapshot();
    return appendedUpTo === null ? DECIDING : this.inNextTurn();
  }

  /** The loop belongs to others between two appends. */
  private async inNextTurn(): Promise<Step> {
    if (this.open.size > 0) await this.on.turn.toDecide();
    return DECIDING;
  }

  /** Brings the memory up to date; true when somebody else had written. Their repeated commands are answered. */
  private async refresh(): Promise<boolean> {
    const { memory } = this.on;
    const { moved, events } = await memory.readTail(this.ownEvents(memory.revision));
    this.isProven = true;
    this.tellFound(events);
    return moved;
  }

  private tellFound(found: readonly StoredEvent[]): void {
    this.on.doubts.settle(tellFound(this.on, this.open, found));
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

/** The commands that have made events. */
function writtenBy(outcomes: Outcomes): readonly string[] {
  return outcomes.flatMap((outcome) =>
    outcome.kind === 'done' && outcome.events.length > 0 ? [outcome.pending.context.commandId] : [],
  );
}
