import type { Clock } from '#kernel/clock.js';
import type { Commands } from '#kernel/commands.js';
import type { CommandContext } from '#kernel/decider.js';
import type { EventStore } from '#kernel/event-store.port.js';
import type { Ids } from '#kernel/ids.js';
import type { ReadModelProgress } from '#kernel/progress.port.js';
import type { ReadModels } from '#kernel/read-store.port.js';
import type { Static, TObject, TSchema } from '#kernel/schema.js';

/** What every operator command may use. Commands that need more name their own extension of it. */
export type OperatorHost = {
  readonly commands: Commands;
  readonly ids: Ids;
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly progress: ReadModelProgress;
  readonly clock: Clock;
};

/**
 * One operator command: JSON in, JSON out, the same behind the CLI (`credits grant`) and the private listener
 * (`POST /ops/credits.grant`). Refusals are thrown as everywhere; wrong input is refused before `run`.
 */
export type OperatorCommand<Host extends OperatorHost = OperatorHost, Input extends TObject = TObject> = {
  /** `noun.verb`; the CLI writes it with a space. */
  readonly name: string;
  readonly summary: string;
  readonly input: Input;
  readonly output: TSchema;
  readonly run: (host: Host, input: Static<Input>, context: CommandContext) => Promise<unknown>;
};

/** Declares an operator command; the input type of `run` comes from the schema. */
export function operatorCommand<Host extends OperatorHost = OperatorHost>() {
  return <Input extends TObject>(command: OperatorCommand<Host, Input>): OperatorCommand<Host, Input> =>
    command;
}
