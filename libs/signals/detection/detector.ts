import { guardOf } from '#kernel/values/schema-guard.js';
import type { JsonObject, JsonValue } from '#kernel/values/json.js';
import type { Static, TObject } from '#kernel/values/schema.js';
import type {
  Audience,
  Direction,
  LaunchPersona,
  RunLaunched,
} from '#signals/domain/launches/launch.events.js';
import type { SignalType } from '#signals/domain/runs/signal-types.js';
import type { NetworkDirectory, PersonFacts } from '#network/network-directory.port.js';
import type { NetworkSource } from '#network/network-source.port.js';
import type { ObservationKind } from '#network/observation.js';
import type { Finding } from './finding.js';
import type { Researcher } from './research/researcher.port.js';
import { searchPage, type DetectorPage } from './search-page.js';
import type { Watched } from './watched.js';

/** Returns the subjects that the caller already knows: their findings are left out. */
export type KnownSubjects = (subjects: readonly string[]) => Promise<ReadonlySet<string>>;

/** Members of the list that a completed run of the same agent or setup checked after a moment (D-52). */
export type CheckedMembers = (memberIds: readonly number[], moment: Date) => Promise<ReadonlySet<number>>;

/** The refs of those people who are the lead of an earlier launch of this agent. */
export type SurfacedBefore = (people: readonly PersonFacts[]) => Promise<ReadonlySet<string>>;

/** One direction of a launch, as a detector sees it: everything was fixed at the launch. */
export type DetectorRun<Parameters> = {
  /** Observations are read as of this moment (D-01). */
  readonly now: Date;
  readonly lookbackDays: number;
  /**
   * In a live pass: the search begins after this time, if it is later than the look-back (LIV-01); null: not live.
   */
  readonly liveAfter: Date | null;
  readonly direction: Direction;
  readonly trigger: RunLaunched['trigger'];
  readonly workspaceId: number;
  /** Key of the template of the setup; null for an agent. */
  readonly templateKey: string | null;
  /** The signal types of this launch; a detector may find more types. */
  readonly signalTypes: readonly SignalType[];
  readonly parameters: Parameters;
  /** null: the launch has no persona, and nothing is ranked. */
  readonly persona: LaunchPersona | null;
  readonly targetTitles: readonly string[] | null;
  readonly watched: Watched;
  readonly source: NetworkSource;
  readonly directory: NetworkDirectory;
  /** The subjects that this agent or setup has reported, in earlier launches or earlier in this run. */
  readonly known: KnownSubjects;
  readonly checkedAfter: CheckedMembers;
  /** Empty for a setup. */
  readonly surfacedBefore: SurfacedBefore;
  /**
   * Where the search of the previous run of this agent or setup ended: the `resume` of its last page; null: it had no
   * page, or there was no run.
   */
  readonly previousEnd: () => Promise<JsonValue>;
  /** True once findings can no longer be paid for. */
  readonly dry: boolean;
  /** Answers the questions of clients. */
  readonly researcher: Researcher;
  /** Aborts waits outside of the stores. */
  readonly signal: AbortSignal;
};

/** One read of a detector's items. */
export type DetectorRead<Item> = {
  readonly items: readonly Item[];
  /** Where the next read continues; null: this was the last one. */
  readonly next: JsonValue;
  /** Why a part could not be read: the run continues, and ends `completed_partial`. */
  readonly incomplete?: string;
  /** The page ends here: the read had a cost, so its result is stored before the next read. */
  readonly endsPage?: boolean;
  /** Members of the list that this run reads; they are recorded as checked when it completes. */
  readonly checked?: readonly number[];
};

/** The items of a run, in an order that never changes (D-05), and their findings. */
export type Search<Item extends { readonly position: JsonValue }> = {
  /** The position of the first read; absent: the start. */
  readonly start?: () => Promise<JsonValue>;
  /** At most `limit` items after a position (null: from the start). */
  readonly read: (position: JsonValue, limit: number) => Promise<DetectorRead<Item>>;
  /** The findings of each of these items, in the same order; an item without findings is skipped. */
  readonly judge: (items: readonly Item[]) => Findings | Promise<Findings>;
  /** The persona to rank findings by, if answers of the setup replace those of its persona (D-60). */
  readonly persona?: LaunchPersona;
};
export type Findings = readonly (readonly Finding[])[];

/** How a detector recognises the setups that it serves (D-38): by the content of their template, never by its key. */
export type TemplateMark = {
  readonly kind: string;
  /** All of its signal types, in any order. */
  readonly signalTypes: readonly SignalType[];
  /** The type of list that it requires, null: none; absent: any. */
  readonly listType?: string | null;
  /** Parameters of which its schema declares at least one. */
  readonly declares?: readonly string[];
};

/** A detector: one file, and one line in `detectors.ts`. */
export type DetectorDeclaration<Schema extends TObject, Item extends { readonly position: JsonValue }> = {
  /** Its name in stored launches; it never changes. */
  readonly kind: string;
  readonly signalTypes: readonly SignalType[];
  readonly directions: readonly Direction[];
  /** The audiences that it supports; a launch for another audience is refused. */
  readonly audiences: readonly Audience[];
  readonly templates: readonly TemplateMark[];
  /**
   * The kinds of observation whose arrival may give a finding at once (LIV-02). Empty: the detector depends on a
   * future date, asks questions that cost money, or remembers checked members, so that only the daily pass uses it.
   */
  readonly arrivals: readonly ObservationKind[];
  /** Whether a finding must mention one of `tracking_keywords`. */
  readonly needsKeyword?: boolean;
  /** The titles of the team that a setup looks for, fixed at its launch (D-15); null: titles do not matter. */
  readonly teamOf?: (signalTypes: readonly string[], parameters: JsonObject) => readonly string[] | null;
  /** Its parameters; parameters that do not fit are refused at launch. */
  readonly parameters: Schema;
  /** null: with these parameters this direction reads nothing (D-29). */
  readonly search: (run: DetectorRun<Static<Schema>>) => Search<Item> | null | Promise<Search<Item> | null>;
};

/** A run whose parameters have not been parsed. */
export type UnreadRun = DetectorRun<JsonObject>;

/** Any detector, without its own types. */
export type Detector = Omit<DetectorDeclaration<TObject, never>, 'parameters' | 'search'> & {
  readonly accepts: (parameters: JsonObject) => boolean;
  /**
   * The matches of a run, at most `limit`, from where the previous page ended; throws if the parameters do not fit.
   * The same `resume` on the same network gives the same matches.
   */
  readonly find: (run: UnreadRun, resume: JsonValue, limit: number) => Promise<DetectorPage>;
};

export function detector<const Schema extends TObject, Item extends { readonly position: JsonValue }>({
  parameters: schema,
  search,
  ...declared
}: DetectorDeclaration<Schema, Item>): Detector {
  const fits = guardOf(schema);
  return {
    ...declared,
    accepts: (parameters) => fits(parameters),
    async find(run, resume, limit) {
      const { parameters } = run;
      if (!fits(parameters)) throw new Error(`the parameters of the launch are none of ${declared.kind}`);
      const found = await search({ ...run, parameters });
      if (found === null) return { matches: [], resume: null, more: false };
      return searchPage(found, run, resume, limit);
    },
  };
}

/** Judges items one by one. */
export const oneByOne =
  <Item>(judge: (item: Item) => Finding | null) =>
  (items: readonly Item[]): Findings =>
    items.map((item) => {
      const finding = judge(item);
      return finding === null ? [] : [finding];
    });
