import type { Commands } from '#kernel/commands/commands.js';
import {
  workspaceScoped,
  type CommandContext,
  type Decider,
  type Decision,
  type Looked,
  type Prepared,
} from '#kernel/commands/decider.js';
import type { Read } from '#kernel/commands/turn.js';
import type { EventOf, PayloadsOf, Vocabulary } from '#kernel/events/event.js';
import type { ProcessHost } from '#process-engine/process.js';
import type { AccountsHost } from '#signals/detection/watched.js';
import type { RunEnded, RunLaunched } from '#signals/domain/launches/launch.events.js';
import type { Launches, Tick } from '#signals/domain/launches/launches.js';
import type { Launchable } from '#signals/domain/launches/prepare-launch.js';

/** What preparing a launch needs from its host; requests and processes have it. */
export type LaunchHost = AccountsHost & Pick<ProcessHost, 'commands' | 'ids' | 'clock'>;

export type Trigger = RunLaunched['trigger'];

/** One agent or setup. */
export type SourceKey = { readonly workspaceId: number; readonly id: number };

export const streamOfSource = ({ workspaceId, id }: SourceKey): string => workspaceScoped(workspaceId, id);

/** The requested launch. */
export type LaunchQuestion = SourceKey & {
  readonly trigger: Trigger;
  readonly now: Date;
};

/** A source that exists, with everything known for its launch. */
export type Launching = {
  readonly launchable: Launchable;
  readonly launches: Launches;
  /**
   * The start of the look-back of its first pass: when it was created or last enabled; null: the look-back of a first
   * run.
   */
  readonly monitoredSince: string | null;
};

/** The runs of a launch that was recorded. */
export type LaunchedRuns = RunLaunched['runs'];

/** A command of an agent or setup. Returns the runs that it launched; none if it launched nothing. */
export type SourceCommand<Input> = (
  commands: Commands,
  key: SourceKey,
  input: Input,
  context: CommandContext,
) => Promise<LaunchedRuns>;

/**
 * A source of runs: an agent or a signal setup. Code that launches, ticks or ends runs uses this type and does not
 * distinguish the kinds. Each source enforces "one run at a time" on its own stream.
 */
export type LaunchSource = {
  readonly kind: RunLaunched['source']['kind'];
  /** Whether the id is, or was, an id of this kind of source; that never changes. */
  readonly has: (commands: Commands, key: SourceKey) => Promise<boolean>;
  /** What a launch would now be made of; null if there is no source with this id, or it was deleted. */
  readonly load: (host: LaunchHost, question: LaunchQuestion) => Promise<Launching | null>;
  /** Launches the prepared launch. If an earlier attempt of the same command launched, nothing is prepared. */
  readonly launch: SourceCommand<() => Promise<RunLaunched>>;
  /** Launches or skips a due time of its weekly schedule. */
  readonly tick: SourceCommand<Tick>;
  /** Launches or skips a due time of its daily passes. */
  readonly pass: SourceCommand<Tick>;
  /** Launches a live pass, or records nothing and returns no runs (LIV-03). */
  readonly livePass: SourceCommand<RunLaunched>;
  /** Whether it is enabled, and its launches, at the end of its stream. */
  readonly look: (commands: Commands, key: SourceKey) => Promise<Looked<SourceLaunches>>;
  /** Records the end of a run. */
  readonly end: SourceCommand<RunEnded>;
  /** Whether it was deleted, so that its runs stop (OP-32). */
  readonly isDeleted: (commands: Commands, key: SourceKey) => Promise<boolean>;
};

export type SourceLaunches = { readonly enabled: boolean; readonly launches: Launches };

/** The decisions of a source about its launches. */
export type LaunchDecisions<State, V extends Vocabulary> = {
  readonly launchesOf: Read<State, SourceLaunches>;
  readonly livePass: (input: RunLaunched) => Decision<State, V>;
  readonly launch: (input: RunLaunched) => Decision<State, V>;
  readonly tick: (input: Tick) => Decision<State, V>;
  readonly pass: (input: Tick) => Decision<State, V>;
  readonly end: (input: RunEnded) => Decision<State, V>;
};

/** Launches, ticks, passes and ends, decided on the stream of the source. */
export function decidedBy<State, V extends Vocabulary>(
  source: Decider<State, V>,
  { launchesOf, launch, tick, pass, livePass, end }: LaunchDecisions<State, V>,
): Pick<LaunchSource, 'launch' | 'tick' | 'pass' | 'livePass' | 'look' | 'end'> {
  const command =
    <Input>(decide: (input: Input) => Decision<State, V> | Prepared<State, V>): SourceCommand<Input> =>
    async (commands, key, input, context) => {
      const answer = (_: unknown, events: readonly EventOf<PayloadsOf<V>>[]): LaunchedRuns =>
        runsAmong(events);
      return (await commands.handle(source, streamOfSource(key), decide(input), { context, answer })).answer;
    };
  return {
    launch: command((prepare) => ({ prepare: async () => launch(await prepare()) })),
    tick: command(tick),
    pass: command(pass),
    livePass: command(livePass),
    look: (commands, key) => commands.look(source, streamOfSource(key), launchesOf),
    end: command(end),
  };
}

type Happened = { readonly type: string; readonly data: object };

/** The runs of the launch among these events. */
function runsAmong(events: readonly Happened[]): LaunchedRuns {
  return events
    .filter((event): event is Happened & { readonly data: RunLaunched } => event.type === 'RunLaunched')
    .flatMap(({ data }) => data.runs);
}
