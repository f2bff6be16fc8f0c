import type { ActingOperator } from '#kernel/values/operators.js';
import type { NetworkStore } from '#network/network-store.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import type { ApiKeyUses } from '#kernel/values/api-key.js';
import type { Credits } from '#kernel/values/credits.js';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import type { ReadModelProgress } from '#kernel/ports/progress.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { SourceDesk } from '#sources/source-desk.js';
import type { Static, TObject, TSchema } from '#kernel/values/schema.js';

/** A price that was set: the list price, or the negotiated rate of one partner. */
export type NewPrice = {
  readonly item: string;
  /** null: it was removed. */
  readonly credits: unknown;
  readonly partnerId: number | null;
};

/** Background work, as operators see it. */
export type OperatorWork = {
  /** Resolves when no work that could run now is left, or when nobody does it: then it names what is `stillDue`. */
  readonly drain: () => Promise<{ readonly processed: number; readonly stillDue?: readonly string[] }>;
  /** The number of due items per process, and the due time of the oldest item that does not wait. */
  readonly due: () => Promise<
    readonly { readonly name: string; readonly items: number; readonly oldestSince: Date | null }[]
  >;
  /** The next time at which work falls due; null if there is none. */
  readonly nextDueAt: () => Promise<Date | null>;
};

/** Dependencies of operator commands. A feature whose commands need more adds it, in `commands/operator-host.ts`. */
export interface OperatorHost {
  readonly commands: Commands;
  readonly ids: Ids;
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly progress: ReadModelProgress;
  readonly clock: Clock;
  readonly network: NetworkStore;
  /** The base address of the network's own pages. */
  readonly networkBaseUrl: string;
  readonly projections: ProjectionEngine;
  /** True where this process serves no requests: long work may keep its loop busy. */
  readonly isAlone: boolean;
  /** Throws `unknown-workspace` for an unknown id. */
  readonly requireWorkspace: (workspaceId: number) => Promise<void>;
  readonly sources: SourceDesk;
  readonly apiKeyUses: ApiKeyUses;
  /** Called for every revoked key, so that this process refuses it immediately. */
  readonly apiKeyRevoked: (keyId: number) => void;
  /** Called after a price was set, for all or for one partner: resolves when the work that waits for it was done. */
  readonly priceSet: (price: NewPrice, context: CommandContext) => Promise<void>;
  readonly work: OperatorWork;
  /** null unless the clock is manual. */
  readonly manualClock: {
    readonly set: (now: Date) => Promise<void>;
    readonly nextDueAt: () => Promise<Date | null>;
  } | null;
}

/** Opens the stores for work that needs more than the file. */
export type WithHost = <Result>(work: (host: OperatorHost) => Promise<Result>) => Promise<Result>;

/**
 * One operator command: JSON in, JSON out, the same for the CLI (`credits grant`) and the private listener
 * (`POST /ops/credits.grant`). Refusals are thrown as everywhere; wrong input is refused before `run`.
 */
export type OperatorCommand<Input extends TObject = TObject> = {
  /** `noun.verb`; the CLI writes it with a space. */
  readonly name: string;
  /** Present where finance may call it, too (CON-01). */
  readonly forFinance?: true;
  readonly summary: string;
  /** Present where the answer waits for due work: the command line does it, as no service may run (OPS-44). */
  readonly doesDueWork?: true;
  readonly input: Input;
  readonly output: TSchema;
  /**
   * The same work on a file instead of the stores: the command line's `--file`. `given` are those of the input's
   * members that were named; none is required then.
   */
  readonly onFile?: (
    chunks: AsyncIterable<Uint8Array>,
    given: Partial<Static<Input>>,
    onProgress: OnProgress,
    withHost: WithHost,
  ) => Promise<unknown>;
  /**
   * For a command of the ledger: its charge unless it is a repetition. Over HTTP, headers carry the charge and the
   * remaining balance.
   */
  charge?(input: Static<Input>): Credits;
  /** `onProgress` is called during long work, for a progress bar. */
  run(
    host: OperatorHost,
    input: Static<Input>,
    context: CommandContext,
    onProgress: OnProgress,
  ): Promise<unknown>;
};

/** `--strict` on the command line, `?strict=true` over HTTP: a line with an unknown member is rejected. */
export type StreamOptions = { readonly strict: boolean };

/** A command whose input is a stream of lines (`network.ingest`): a file or standard input, or a request body. */
export type StreamCommand<Input extends TObject = TObject> = {
  readonly name: string;
  readonly summary: string;
  readonly contentType: string;
  /** The options besides the stream, in place of `strict`: from the command line or the query. */
  readonly input?: Input;
  /** How much of the stream is held at a time, in bytes. */
  readonly windowBytes: number;
  readonly output: TSchema;
  run(
    host: OperatorHost,
    chunks: AsyncIterable<Uint8Array>,
    options: StreamOptions & Static<Input>,
    onProgress: OnProgress,
    operator: ActingOperator,
  ): Promise<unknown>;
  /** The command without stores: the command line then opens none. Null: with these options it needs stores. */
  withoutStores?(
    chunks: AsyncIterable<Uint8Array>,
    options: StreamOptions & Static<Input>,
    onProgress: OnProgress,
  ): Promise<unknown> | null;
  /** Whether this answer counts as a failure for scripts. */
  readonly isFailure: (output: unknown) => boolean;
};

/**
 * A command whose answer is a text of any length (`ledger.export`): written to a file or standard output, or
 * streamed as a response body. Refusals come before the first piece.
 */
export type ExportCommand<Input extends TObject = TObject> = {
  readonly name: string;
  /** Present where finance may call it, too (CON-01). */
  readonly forFinance?: true;
  readonly summary: string;
  readonly input: Input;
  contentType(input: Static<Input>): string;
  run(host: OperatorHost, input: Static<Input>, onProgress: OnProgress): Promise<AsyncIterable<string>>;
};

/** Declares a command with a stream; the type of its options comes from the schema. */
export function streamCommand<Input extends TObject>(command: StreamCommand<Input>): StreamCommand<Input> {
  return command;
}

/** Declares an export; the input type of `run` comes from the schema. */
export function exportCommand<Input extends TObject>(command: ExportCommand<Input>): ExportCommand<Input> {
  return command;
}

/** Declares an operator command; the input type of `run` comes from the schema. */
export function operatorCommand<Input extends TObject>(
  command: OperatorCommand<Input>,
): OperatorCommand<Input> {
  return command;
}
