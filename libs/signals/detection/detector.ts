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

/** What the caller of a detector knows already: findings of these subjects are left out. */
export type KnownSubjects = (subjects: readonly string[]) => Promise<ReadonlySet<string>>;

/** Which members of its list a completed run of the same agent or setup checked after a moment (D-52). */
export type CheckedMembers = (memberIds: readonly number[], moment: Date) => Promise<ReadonlySet<number>>;

/** Whom this agent has shown before: the refs of those of these people who are the lead of an earlier launch's. */
export type SurfacedBefore = (people: readonly PersonFacts[]) => Promise<ReadonlySet<string>>;

/** One direction of a launch, as a detector sees it: everything was fixed when it was launched. */
export type DetectorRun<Parameters> = {
  /** The world is looked at as of this moment (D-01). */
  readonly now: Date;
  readonly lookbackDays: number;
  /** Of a live pass: the search begins after it, where that is later than the look-back (LIV-01); null: not live. */
  readonly liveAfter: Date | null;
  readonly direction: Direction;
  readonly trigger: RunLaunched['trigger'];
  readonly workspaceId: number;
  /** Key of the template of the setup; null for an agent. */
  readonly templateKey: string | null;
  /** Those that this launch is about: a detector may know more. */
  readonly signalTypes: readonly SignalType[];
  readonly parameters: Parameters;
  /** null: the launch has none, nothing is ranked by it. */
  readonly persona: LaunchPersona | null;
  readonly targetTitles: readonly string[] | null;
  readonly watched: Watched;
  readonly source: NetworkSource;
  readonly directory: NetworkDirectory;
  /** Which of these subjects this agent or setup has reported, in earlier launches or earlier in this run. */
  readonly known: KnownSubjects;
  readonly checkedAfter: CheckedMembers;
  /** Nobody of a setup. */
  readonly surfacedBefore: SurfacedBefore;
  /** True once what is found cannot be paid for any more. */
  readonly dry: boolean;
  /** Who answers the questions of clients. */
  readonly researcher: Researcher;
  /** Ends what the detector waits for outside of the stores. */
  readonly signal: AbortSignal;
};

/** One read of what a detector looks at. */
export type DetectorRead<Item> = {
  readonly items: readonly Item[];
  /** Where the next read goes on; null: this was the last one. */
  readonly next: JsonValue;
  /** Why a part of it could not be looked at: the run goes on, and ends `completed_partial`. */
  readonly incomplete?: string;
  /** The page ends here: what was read cost something, and is kept before more is looked at. */
  readonly endsPage?: boolean;
  /** Members of the list whom this run looks at: once it is completed they were checked. */
  readonly checked?: readonly number[];
};

/** What a run looks at, in an order of its own that never changes (D-05), and what it makes of it. */
export type Search<Item extends { readonly position: JsonValue }> = {
  /** The position of the first read; absent: the start. */
  readonly start?: () => Promise<JsonValue>;
  /** At most `limit` items behind a position (null: from the start). */
  readonly read: (position: JsonValue, limit: number) => Promise<DetectorRead<Item>>;
  /** What each of these items comes to, in their order; an item without findings is passed over. */
  readonly judge: (items: readonly Item[]) => Findings | Promise<Findings>;
  /** Whom findings are ranked by where answers of the setup stand in for those of its persona (D-60). */
  readonly persona?: LaunchPersona;
};
export type Findings = readonly (readonly Finding[])[];

/** How the setups are known that a detector serves (D-38): by what their template says, never by its key. */
export type TemplateMark = {
  readonly kind: string;
  /** All of its signal types, in any order. */
  readonly signalTypes: readonly SignalType[];
  /** The type of list that it asks for, null for none; absent: whatever it asks for. */
  readonly listType?: string | null;
  /** Parameters of which its schema declares at least one. */
  readonly declares?: readonly string[];
};

/** A detector: one file, and one line in `detectors.ts`. */
export type DetectorDeclaration<Schema extends TObject, Item extends { readonly position: JsonValue }> = {
  /** Its name in stored launches, for ever. */
  readonly kind: string;
  readonly signalTypes: readonly SignalType[];
  readonly directions: readonly Direction[];
  /** At whom it can look; a launch about anybody else is refused. */
  readonly audiences: readonly Audience[];
  readonly templates: readonly TemplateMark[];
  /**
   * The kinds of observation whose arrival may give a finding at once (LIV-02). Empty: it finds by a date that comes, by
   * questions that cost money, or remembers whom it checked, and is left to the daily pass.
   */
  readonly arrivals: readonly ObservationKind[];
  /** Whether a finding must mention one of `tracking_keywords`. */
  readonly needsKeyword?: boolean;
  /** The titles of the team that a setup looks for, fixed at its launch (D-15); null: titles do not matter. */
  readonly teamOf?: (signalTypes: readonly string[], parameters: JsonObject) => readonly string[] | null;
  /** What it can be told; parameters that do not fit are refused at launch. */
  readonly parameters: Schema;
  /** null: with these parameters this direction looks at nothing (D-29). */
  readonly search: (run: DetectorRun<Static<Schema>>) => Search<Item> | null | Promise<Search<Item> | null>;
};

/** A run before its parameters were read. */
export type UnreadRun = DetectorRun<JsonObject>;

/** Any detector, its types put away. */
export type Detector = Omit<DetectorDeclaration<TObject, never>, 'parameters' | 'search'> & {
  readonly accepts: (parameters: JsonObject) => boolean;
  /**
   * The matches of a run, at most `limit`, from where the page before said; throws where the parameters do not fit.
   * Asked again with the same `resume` on the same network it finds the same.
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
