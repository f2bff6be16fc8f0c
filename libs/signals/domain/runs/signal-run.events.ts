import { event, type Immutable, type PayloadsOf } from '#kernel/events/event.js';
import { ObservedCompany } from '#identities/domain/companies/company-facts.js';
import { ContentFacts } from '#identities/domain/contents/content-facts.js';
import { ObservedPerson } from '#identities/domain/leads/lead-facts.js';
import { Direction, RunCounts } from '#signals/domain/launches/launch.events.js';
import {
  AnyJson,
  Id,
  JsonMembers,
  Nullable,
  OneOf,
  Timestamp,
  Type,
  type Static,
} from '#kernel/values/schema.js';
import { DetectionAuthor } from './shortcut-facts.js';
import { Provenance, SignalDetected } from './signal-detected.event.js';
import { batchOfSingleContents, batchWithCandidates } from './upcast-batch.js';

/** A content of a candidate. */
export const CandidateContent = Type.Object({
  ref: Type.String(),
  type: OneOf('post', 'comment', 'job_posting'),
  /** The facts to capture; null: the content is not captured, and is named only if the workspace already has it. */
  facts: Nullable(ContentFacts),
  /** The part of the payload whose `content_id` is the id of its record; null: none. */
  idIn: Nullable(OneOf('data', 'interaction', 'post')),
});
export type CandidateContent = Immutable<Static<typeof CandidateContent>>;

/** A match that can be paid for and recorded. */
export const Candidate = Type.Object({
  detectionId: Id,
  /** The subject, e.g. `post:3f2a`: one detection per agent or setup and subject, for ever. */
  subject: Type.String(),
  /** The charge key within the launch: candidates with the same key share one movement (D-07). */
  chargeKey: Type.String(),
  signalType: Type.String(),
  signalDate: Nullable(Timestamp),
  sourceUrl: Nullable(Type.String()),
  priority: Type.Union([Type.Literal(1), Type.Literal(2)]),
  /** Whether this candidate is paid for; a covered account or second priority is free. */
  priced: Type.Boolean(),
  /** The detection's own content first, if it is captured. */
  contents: Type.Array(CandidateContent),
  company: Nullable(ObservedCompany),
  lead: Nullable(ObservedPerson),
  /** The lead's current employer if it is not `company`, as for a hiring contact; absent: it is `company`. */
  employer: Type.Optional(Nullable(ObservedCompany)),
  /** The place of the lead, for the place filters of queries. */
  leadPlace: Nullable(Type.Object({ country: Nullable(Type.String()), city: Nullable(Type.String()) })),
  /** The detection's payload; a `content_id` in it is null until it is recorded. */
  data: JsonMembers,
  /** Top-level author of the detection. */
  author: Nullable(DetectionAuthor),
  excerpt: Nullable(Type.String()),
  /** The keys of `details` (OP-20) that this signal type has. */
  details: JsonMembers,
  provenance: Type.Optional(Provenance),
});
export type Candidate = Immutable<Static<typeof Candidate>>;

/** The maximum number of members in one event. */
export const MAX_CHECKED_AT_ONCE = 1_000;

/** The detector's results for a batch besides the candidates. */
const Found = {
  /** The state that the detector needs to continue after this batch; opaque to everything else. */
  resume: AnyJson,
  /** False if the source had nothing after this batch. */
  more: Type.Boolean(),
  /** Why a part could not be read; absent: everything was read. */
  incomplete: Type.Optional(Type.String()),
  /** Members of the list that the run reads and later runs skip for a while; absent: none. */
  checked: Type.Optional(Type.Array(Id)),
};

/**
 * On a separate stream that is removed after a while, because the candidates of a completed batch are not needed.
 */
export const batchEvents = {
  CandidatesFound: event(Type.Object({ candidates: Type.Array(Candidate), ...Found })),
};
export type BatchEvents = PayloadsOf<typeof batchEvents>;

export const signalRunEvents = {
  RunStarted: event(Type.Object({ runId: Id, launchId: Id, direction: Direction })),
  /** An attempt that ended in an internal error. */
  RunAttempted: event(Type.Object({ attempt: Type.Integer({ minimum: 1 }), reason: Type.String() })),
  /** The run stops before its next batch. Possible before its start too, if the other direction runs first. */
  RunCancellationRequested: event(Type.Object({ runId: Id, reason: Nullable(Type.String()) })),
  BatchPrepared: event(
    Type.Object({
      batch: Type.Integer({ minimum: 1 }),
      /** The subjects of its candidates, which are on the stream of the batch (`CandidatesFound`). */
      subjects: Type.Array(Type.String()),
      /** The charge keys of its candidates, without duplicates; absent: the subjects. */
      chargeKeys: Type.Optional(Type.Array(Type.String())),
      /** In events of before batches had streams: the candidates themselves. */
      candidates: Type.Optional(Type.Array(Candidate)),
      ...Found,
    }),
    [batchOfSingleContents, batchWithCandidates],
  ),
  SignalDetected,
  BatchCompleted: event(
    Type.Object({
      batch: Type.Integer({ minimum: 1 }),
      dropped: Type.Integer({ minimum: 0 }),
      /** True once a hold was cut short: later priced candidates are dropped without a hold. */
      dry: Type.Boolean(),
      /** What cut it short if it was not the balance: a cap, or the budget of the launch. */
      dryBy: Type.Optional(OneOf('cap', 'budget')),
      /**
       * The number of movements made for this batch, if some of its detections share one with other detections of the
       * launch; absent: every movement of its detections.
       */
      charges: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** With the end of a completed run: the members that it read, as of `checkedAt` (D-52). */
  MembersChecked: event(
    Type.Object({
      source: Type.Object({ kind: OneOf('setup', 'agent'), id: Id }),
      launchId: Id,
      runId: Id,
      checkedAt: Timestamp,
      memberIds: Type.Array(Id, { minItems: 1, maxItems: MAX_CHECKED_AT_ONCE }),
    }),
  ),
  RunCompleted: event(Type.Object(RunCounts)),
  RunCompletedPartial: event(Type.Object({ ...RunCounts, reason: Type.String() })),
  RunFailed: event(Type.Object({ ...RunCounts, reason: Type.String() })),
};
export type SignalRunEvents = PayloadsOf<typeof signalRunEvents>;
