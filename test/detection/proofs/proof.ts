import type fc from 'fast-check';
import type { JsonObject } from '#kernel/values/json.js';
import type { Audience, Direction, LaunchPersona } from '#signals/domain/launches/launch.events.js';
import type { ListType } from '#lists/domain/lists/list.events.js';
import type { SignalType } from '#signals/domain/runs/signal-types.js';
import type { World } from './naive-world.js';

// Observations are parsed JSON.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Observed = any;

/** One direction of a launch, as a reference reads it: nothing in it was derived by the tested code. */
export type NaiveLaunch = {
  readonly now: string;
  readonly lookbackDays: number;
  readonly direction: Direction;
  readonly workspaceId: number;
  readonly templateKey: string | null;
  readonly signalTypes: readonly SignalType[];
  readonly parameters: JsonObject;
  readonly persona: LaunchPersona | null;
  readonly targetTitles: readonly string[] | null;
  readonly audiences: readonly Audience[];
  /** Followed members of its list by ref, including unobserved ones; null: the launch has no list. */
  readonly listed: { readonly companyRefs: readonly string[]; readonly personRefs: readonly string[] } | null;
  readonly topAccounts: readonly string[];
  readonly covered: readonly string[];
  /** Followed members of a list of champions; absent: there is none. */
  readonly champions?: readonly NaiveChampion[];
  /** Refs of companies on active customer lists; absent: there are none. */
  readonly customers?: readonly string[];
  /** Subjects that earlier launches reported. */
  readonly reported: readonly string[];
};

export type NaiveChampion = {
  readonly memberId: number;
  readonly personRef: string;
  readonly addedAt: string;
  readonly baselineCompany: { readonly name: string | null; readonly domain: string | null } | null;
  /** The `now` of the last completed run that checked them; null: none did. */
  readonly checkedAt: string | null;
};

/**
 * A finding that a reference expects; a match's other fields are compared as well. A subject that was reported
 * before, or is named twice, is found once by all detectors (D-06): references need not filter it.
 */
export type NaiveFinding = {
  readonly subject: string;
  readonly signalType: SignalType;
  readonly signalDate: string | null;
  /** Ref of the company, of the lead. */
  readonly company: string | null;
  readonly lead: string | null;
  readonly priority: 1 | 2;
  readonly priced: boolean;
  readonly data: JsonObject;
  readonly [name: string]: unknown;
};

/** Compares a detector with a reference written from its rules alone, on random networks. */
export type RandomProof = {
  /** Ids of its rules. */
  readonly rules: string;
  /** Observations in the order of ingestion. */
  readonly network: fc.Arbitrary<readonly Observed[]>;
  readonly launch: fc.Arbitrary<NaiveLaunch>;
  /** In the order in which they must be found. */
  readonly reference: (world: World, launch: NaiveLaunch) => readonly NaiveFinding[];
  /** Number of networks, each asked by ten launches; absent: 12. */
  readonly numRuns?: number;
  /** Minimum number of findings over all runs; with fewer the networks prove nothing; absent: 15. */
  readonly atLeast?: number;
};

/** A run of the detector whose worker is killed at every point. */
export type KilledRun = {
  readonly title: string;
  readonly observations: (now: Date) => readonly object[];
  readonly launch: {
    readonly signalTypes: readonly SignalType[];
    readonly audiences: readonly Audience[];
    readonly parameters: JsonObject;
    readonly directions?: readonly Direction[];
    readonly persona?: LaunchPersona;
    readonly templateKey?: string;
    readonly targetTitles?: readonly string[];
  };
  /** The list of the run: handles of its members. */
  readonly list?: { readonly type: ListType; readonly handles: readonly string[] };
  /** Refs of found top accounts, of covered accounts. */
  readonly topAccounts?: readonly string[];
  readonly covered?: readonly string[];
  /** Subjects of each direction, in order. */
  readonly finds: readonly (readonly string[])[];
  /** Number of movements captured for them, 10 credits each. */
  readonly pays: number;
  /** Number of list members that it has checked in the end; absent: none. */
  readonly checks?: number;
};

/** One row: a detector and its proofs. Several rows may be about one detector. */
export type DetectorProof = {
  /** Name of the detector, the `kind` of its file. */
  readonly kind: string;
  readonly random?: RandomProof;
  readonly killed?: KilledRun;
};
