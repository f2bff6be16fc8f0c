import { creditAccount } from '#ledger/domain/credit-account.js';
import { forgetOld } from '#ledger/domain/ledger-memory.js';
import { setBillingMode } from '#ledger/domain/post-credits.js';
import { createCommands, type Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { StoreUnavailable, WrongExpectedRevision, type StoredEvent } from '#kernel/ports/event-store.port.js';
import { createIds, type Ids } from '#kernel/commands/ids.js';
import { Refusal } from '#kernel/values/refusal.js';
import type { ModelCommand, ModelResult } from './ledger-model.js';
import { LaggingIndex } from './lagging-index.js';
import { EventLog, memoryEventStore, type Carrier } from './memory-event-store.js';
import { answered, decisionOf, isResult, withIds } from './money-commands.js';
import type { Random } from './random.js';
import { Scheduler, WORLD, type Owner } from './scheduler.js';

/** The frequency of faults, as shares: of requests to the store, and of steps for the others. */
export type Weather = {
  readonly unavailable: number;
  /** The store is unavailable, longer than any retry. */
  readonly outages: number;
  /** The append is done and its answer is lost. */
  readonly lostAnswers: number;
  /** The outcome is unknown, and the append is done later, possibly after it was sent again. */
  readonly lateAppends: number;
  /** The server does not recognise a repeated append: a wrong revision instead of the first answer. */
  readonly forgottenIds: number;
  readonly deaths: number;
  readonly lostSnapshots: number;
};

export const FAIR: Weather = {
  unavailable: 0,
  outages: 0,
  lostAnswers: 0,
  lateAppends: 0,
  forgottenIds: 0,
  deaths: 0,
  lostSnapshots: 0,
};
export const FOUL: Weather = {
  unavailable: 0.04,
  outages: 0.002,
  lostAnswers: 0.06,
  lateAppends: 0.05,
  forgottenIds: 0.3,
  deaths: 0.004,
  lostSnapshots: 0.001,
};

/** One attempt of a command in one process, and its answer. */
export type Attempt = {
  readonly name: string;
  /** The same for every attempt of one command. */
  readonly commandId: string;
  /** With the ids allocated for this attempt. */
  command: ModelCommand;
  /** Length of the stream, and the clock of the process, when the command was sent. */
  readonly sentAt: number;
  sentTime: string;
  /** Length of the stream when the answer arrived; null if there was none. */
  answeredAt: number | null;
  result: ModelResult | null;
  answer: string;
  appended: number;
};

type Process = {
  readonly owner: Owner;
  readonly commands: Commands;
  readonly ids: Ids;
  readonly now: () => Date;
  readonly inFlight: Set<() => void>;
};

const { snapshot } = creditAccount;
if (snapshot === undefined) throw new Error('a ledger has snapshots');
/** The ledger, with so frequent snapshots and forgetting that a short history covers them many times. */
const ledger: typeof creditAccount = {
  ...creditAccount,
  snapshot: { ...snapshot, every: 20, forget: (account, place) => forgetOld(account, place, 12) },
};

const PROCESSES = 3;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Several processes on one store, their callers, and all faults between them. */
export class MoneyPath {
  readonly scheduler: Scheduler;
  readonly log: EventLog;
  readonly index: LaggingIndex;
  readonly attempts: Attempt[] = [];
  /** How often each fault happened, by name: a simulation without faults proves nothing. */
  readonly happened = new Map<string, number>();
  weather: Weather;
  private readonly processes: Process[] = [];
  private readonly movementIds = new Map<string, number>();
  private lastOwner: Owner = WORLD;
  private commandCount = 0;
  private awayUntil = 0;
  private broken: unknown = null;

  constructor(
    readonly random: Random,
    weather: Weather,
    readonly ledger = '1',
  ) {
    this.weather = weather;
    this.scheduler = new Scheduler(random);
    this.log = new EventLog(() => !this.strikes('forgottenIds'));
    this.index = new LaggingIndex(this.log);
    for (let index = 0; index < PROCESSES; index += 1) this.processes.push(this.startProcess());
  }

  get stored(): readonly StoredEvent[] {
    return this.log.stream(`credits-${this.ledger}`);
  }

  /** Runs until no task is left. Rejects with the first error that is no answer. */
  async run(): Promise<void> {
    await this.scheduler.run(() => {
      if (this.broken !== null) throw this.broken;
      if (this.strikes('outages')) this.awayUntil = this.scheduler.now + this.random.below(500);
      if (this.strikes('deaths')) this.kill(this.random.below(PROCESSES));
      if (this.strikes('lostSnapshots')) this.index.loseSnapshots();
      if (this.random.happens(0.05)) this.index.goOn(this.random.below(40));
      if (this.random.happens(0.01)) this.scheduler.now += this.random.below(3 * HOUR);
    });
    if (this.broken !== null) throw this.broken;
  }

  /** Opens the ledger before it is used. */
  async open(): Promise<void> {
    const commands = createCommands({
      eventStore: memoryEventStore(this.log),
      clock: { now: () => new Date(this.scheduler.now) },
      progress: { reached: async () => true },
    });
    const context = contextOf('opening', 'opening');
    const options = { context };
    await commands.handle(ledger, this.ledger, setBillingMode({ mode: 'self' }), options);
  }

  /** This many callers, each sending its next command after the previous one is done. */
  call(commands: readonly ModelCommand[], callers: number): void {
    let next = 0;
    const send = (): void => {
      const index = next;
      next += 1;
      const command = commands[index];
      if (command === undefined) return;
      this.commandCount += 1;
      const commandId = `c${this.commandCount}`;
      // Sometimes two workers send the same command at once.
      if (isRepeatable(command) && this.random.happens(0.05)) this.deliver(command, commandId, () => {});
      this.deliver(command, commandId, () => this.scheduler.give(WORLD, send, this.random.below(40)));
    };
    for (let caller = 0; caller < callers; caller += 1) this.scheduler.give(WORLD, send);
  }

  /** Sends a command, and repeats it while its outcome is unknown and a repetition is harmless. */
  deliver(command: ModelCommand, commandId: string, done: () => void): void {
    this.work(
      (process) => this.attempt(process, command, commandId),
      () => {
        if (isRepeatable(command) && this.random.happens(0.8)) this.deliver(command, commandId, done);
        else done();
      },
      done,
    );
  }

  /** Lets one of the processes work; `unknown` if it dies or does not know the outcome. */
  work(job: (process: Process) => Promise<unknown>, unknown: () => void, done: () => void): void {
    const process = this.random.oneOf(this.processes);
    const lost = (): void => this.scheduler.give(WORLD, unknown);
    process.inFlight.add(lost);
    this.scheduler.give(process.owner, () => {
      void job(process).then(
        () => {
          process.inFlight.delete(lost);
          this.scheduler.give(WORLD, done);
        },
        (error: unknown) => {
          process.inFlight.delete(lost);
          if (error instanceof StoreUnavailable) lost();
          else this.broken ??= error;
        },
      );
    });
  }

  /** One attempt of a command: its ids, the decision, and the answer. A refusal is an answer. */
  async attempt(process: Process, wanted: ModelCommand, commandId: string): Promise<Attempt> {
    const attempt: Attempt = {
      name: `a${this.attempts.length}`,
      commandId,
      command: wanted,
      sentAt: this.stored.length,
      sentTime: process.now().toISOString(),
      answeredAt: null,
      result: null,
      answer: '',
      appended: 0,
    };
    this.attempts.push(attempt);
    attempt.command = await withIds(wanted, (count) => process.ids.nextMany('movement', count));
    if (attempt.command.do === 'sweep') {
      // A sweep has read its recorded results somewhere, and its day is that of its own clock.
      const keys = attempt.command.keys.filter((key) => this.movementIds.has(key));
      const before = new Date(process.now().getTime() - DAY).toISOString();
      attempt.command = { do: 'sweep', keys, before };
    }
    const { command } = attempt;
    const decision = decisionOf(command, (key) => this.movementIds.get(key));
    const options = {
      context: contextOf(commandId, attempt.name),
      answer: answerTo(command),
      waitForReadModels: false,
    };
    try {
      const { answer, appended } = await process.commands.handle(ledger, this.ledger, decision, options);
      Object.assign(attempt, { result: 'done', answer, appended });
    } catch (error) {
      if (!(error instanceof Refusal) || !isResult(error.declaration.kind)) throw error;
      attempt.result = error.declaration.kind;
      attempt.answer = JSON.stringify(error.details.members ?? {});
    }
    this.count(attempt.result ?? '');
    if (attempt.answer.includes('replayed')) this.count('replayed');
    attempt.answeredAt = this.stored.length;
    this.learnMovements(attempt.sentAt);
    return attempt;
  }

  /** Callers learn the ids of the movements in the stream. */
  learnMovements(from = 0): void {
    for (const { type, data } of this.stored.slice(from)) {
      const { key, movementId } = data;
      if (type === 'CreditsHeld' && typeof key === 'string' && typeof movementId === 'number')
        this.movementIds.set(key, movementId);
    }
  }

  private count(what: string): void {
    this.happened.set(what, (this.happened.get(what) ?? 0) + 1);
  }

  private strikes(disaster: keyof Weather): boolean {
    const strikes = this.random.happens(this.weather[disaster]);
    if (strikes) this.count(disaster);
    return strikes;
  }

  private kill(index: number): void {
    const process = this.processes[index];
    if (process === undefined) return;
    this.scheduler.kill(process.owner);
    this.processes[index] = this.startProcess();
    for (const lost of process.inFlight) lost();
  }

  /** A process after a start: no cached state, no reserved ids, an inaccurate clock. */
  private startProcess(): Process {
    this.lastOwner += 1;
    const owner = this.lastOwner;
    const skewMs = this.random.below(4_000) - 2_000;
    const now = (): Date => new Date(this.scheduler.now + skewMs);
    const carrier = this.carrier();
    const eventStore = memoryEventStore(this.log, carrier);
    const recall = this.index.recall(carrier);
    const commands = createCommands({
      eventStore,
      snapshots: this.index.snapshotStore(carrier),
      recalls: {
        [ledger.category]: (...asked) => {
          this.count('recalls');
          return recall(...asked);
        },
      },
      clock: { now },
      progress: { reached: async () => true },
      retry: { tries: 4, firstDelayMs: 5, longestDelayMs: 250 },
      // One of them always drops its cached state.
      cacheBytes: owner % PROCESSES === 0 ? 0 : undefined,
    });
    return { owner, commands, ids: createIds(eventStore, { now }), now, inFlight: new Set() };
  }

  /** The carrier to the store and back, one step each, with all faults. */
  private carrier(): Carrier {
    const { scheduler } = this;
    return (kind, operation) =>
      new Promise((resolve, reject) => {
        const owner = scheduler.running;
        const away = (outcome: 'nothing-written' | 'unknown') => () =>
          scheduler.give(owner, () => reject(new StoreUnavailable('the weather', outcome)));
        const arrive = (): void => {
          try {
            const result = operation();
            const isLost = kind === 'append' && this.strikes('lostAnswers');
            if (isLost) away('unknown')();
            else scheduler.give(owner, () => resolve(result));
          } catch (error) {
            if (error instanceof WrongExpectedRevision) this.count('wrongRevisions');
            scheduler.give(owner, () => reject(error));
          }
        };
        const isAway = scheduler.now < this.awayUntil || this.strikes('unavailable');
        if (isAway) away('nothing-written')();
        else if (kind === 'append' && this.strikes('lateAppends')) {
          scheduler.send(() => {
            try {
              operation();
            } catch {
              // No caller waits for this answer any more.
            }
          }, this.random.below(100));
          away('unknown')();
        } else scheduler.send(arrive);
      });
  }
}

function answerTo(command: ModelCommand) {
  return (account: Parameters<typeof answered>[0]): string => answered(account, command);
}

/** Without a key a repetition is a second posting; a mode may have been changed back meanwhile. */
function isRepeatable(command: ModelCommand): boolean {
  return command.do !== 'mode' && !('id' in command && command.key === null);
}

function contextOf(commandId: string, correlationId: string): CommandContext {
  return { commandId, actor: { kind: 'process', id: 'simulated' }, workspaceId: 1, correlationId };
}
