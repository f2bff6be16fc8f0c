import { diagnostic } from '#test/support/diagnostic.js';
import type { ModelCommand } from './ledger-model.js';
import { randomCommands } from './money-commands.js';
import { FAIR, FOUL, MoneyPath } from './money-path.js';
import { Broken, commandText, proveHistory } from './money-path-proof.js';
import { Random } from './random.js';

// One seed is one run: which command, which process, which of all waiting steps comes next, what the store
// does and when a process dies. SIMULATION_SEED runs one again; SIMULATION_COMMANDS says how many commands there
// are in all, in runs of 250 with the seeds from SIMULATION_FIRST_SEED on.
//
// The invariants of the ledger and where they are shown (this file and, in it, money-path-proof.ts where no other
// is named):
//   P1 P2 P3 P4  after every command, against the model; ledger.spec.ts without faults
//   P5           one sweep at the end of every run; races.spec.ts: 10,000 captures against a sweep
//   P6           keys used again all the time, by two at once and after unknown outcomes; ledger.spec.ts: changed payloads
//   P7           every answer is that of a state between its sending and its coming
//   P8           snapshots, a forgetting memory and a lagging index are in every run; every split in ledger.spec.ts;
//                forgetful-ledger.spec.ts
//   P9 P12       ledger.spec.ts
//   P10          test/projections/projecting.spec.ts and rebuilding.spec.ts
//   P11          test/api/usage-paging.spec.ts
//   P13          races.spec.ts for the ledger, signal-run-kills.spec.ts for whole runs; ledger.spec.ts
//   P16          test/kernel/concurrent-holds.spec.ts, one process and four
const COMMANDS = Number(process.env['SIMULATION_COMMANDS'] ?? 25_000);
const COMMANDS_A_RUN = 250;
const CALLERS = 8;
const FIRST_SEED = Number(process.env['SIMULATION_SEED'] ?? process.env['SIMULATION_FIRST_SEED'] ?? 1);
const RUNS = process.env['SIMULATION_SEED'] === undefined ? Math.ceil(COMMANDS / COMMANDS_A_RUN) : 1;

const happened = new Map<string, number>();

/** One run; null if all invariants hold. */
async function simulate(seed: number, commands: readonly ModelCommand[]): Promise<string | null> {
  const random = new Random(seed);
  const path = new MoneyPath(random, random.happens(0.2) ? FAIR : FOUL);
  try {
    await path.open();
    path.call(commands, CALLERS);
    await path.run();
    await sweepAll(path);
    await proveHistory(path.stored, path.attempts);
    for (const [what, count] of path.happened) happened.set(what, (happened.get(what) ?? 0) + count);
    return null;
  } catch (error) {
    return error instanceof Broken ? error.message : String(error instanceof Error ? error.stack : error);
  }
}

/** P5: a day later, with a healthy store, one sweep leaves no hold open. */
async function sweepAll(path: MoneyPath): Promise<void> {
  path.weather = FAIR;
  path.scheduler.now += 25 * 3_600_000;
  const keysOf = (type: string): readonly string[] =>
    path.stored.filter((event) => event.type === type).map(({ data }) => String(data['key']));
  const ended = (): ReadonlySet<string> =>
    new Set([...keysOf('CreditsCaptured'), ...keysOf('CreditsReleased')]);
  const open = keysOf('CreditsHeld').filter((key) => !ended().has(key));
  path.learnMovements();
  path.deliver({ do: 'sweep', keys: open }, 'last sweep', () => {});
  await path.run();
  const left = open.filter((key) => !ended().has(key));
  if (left.length > 0) throw new Broken(`P5 still open after a day and a sweep: ${left.join(', ')}`);
}

const SHRINK_TRIES = Number(process.env['SIMULATION_SHRINK_TRIES'] ?? 400);

/** Fewer and fewer commands that still fail, each tried with a few orders of events. */
async function shrink(seed: number, commands: readonly ModelCommand[]): Promise<string> {
  let smallest = commands;
  let at = seed;
  let reason = '';
  let tries = 0;
  const fails = async (fewer: readonly ModelCommand[]): Promise<boolean> => {
    for (const other of [at, seed, 1, 2, 3, 4, 5, 6]) {
      tries += 1;
      if (tries > SHRINK_TRIES) return false;
      const failure = await simulate(other, fewer);
      if (failure === null) continue;
      [smallest, at, reason] = [fewer, other, failure];
      return true;
    }
    return false;
  };
  for (let size = Math.ceil(commands.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < smallest.length;) {
      const fewer = [...smallest.slice(0, start), ...smallest.slice(start + size)];
      if (!(await fails(fewer))) start += size;
    }
  }
  return `${reason}\nshrunk from ${commands.length} to ${smallest.length} commands, with seed ${at}:\n${smallest
    .map(commandText)
    .join('\n')}`;
}

describe('the money path with one seed', () => {
  it(`P1 P2 P3 P4 P5 P6 P7 P8 holds for ${RUNS * COMMANDS_A_RUN} commands through faults, deaths and races`, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
      const commands = randomCommands(new Random(seed), COMMANDS_A_RUN);
      const failure = await simulate(seed, commands);
      if (failure !== null) {
        throw new Error(`SIMULATION_SEED=${seed}: ${failure}\n${await shrink(seed, commands)}`);
      }
    }
  });

  it('covered every kind of fault and every kind of answer', () => {
    diagnostic(JSON.stringify(Object.fromEntries(happened)));
    const troubles = [
      'unavailable',
      'lostAnswers',
      'lateAppends',
      'forgottenIds',
      'wrongRevisions',
      'deaths',
      'outages',
      'lostSnapshots',
      'recalls',
    ];
    const answers = ['done', 'replayed', 'unpayable', 'conflicting', 'missing', 'unprocessable'];
    for (const what of [...troubles, ...answers])
      expect([what, happened.get(what) ?? 0]).not.toEqual([what, 0]);
  });

  it('is the same run for the same seed, event by event', async () => {
    const once = async (): Promise<string> => {
      const random = new Random(77);
      const path = new MoneyPath(random, FOUL);
      await path.open();
      path.call(randomCommands(new Random(77), COMMANDS_A_RUN), CALLERS);
      await path.run();
      return JSON.stringify(path.stored.map(({ type, data, metadata }) => ({ type, data, metadata })));
    };
    expect(await once()).toBe(await once());
  });
});
