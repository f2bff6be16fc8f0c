import { event, type Immutable, type PayloadsOf } from '#kernel/events/event.js';
import { ObservedCompany } from '#identities/domain/companies/company-facts.js';
import { ContentFacts } from '#identities/domain/contents/content-facts.js';
import { ObservedPerson } from '#identities/domain/leads/lead-facts.js';
import { Direction } from '#signals/domain/launches/launch.events.js';
import {
  AnyJson,
  Id,
  JsonMembers,
  Nullable,
  OneOf,
  StoredCredits,
  Timestamp,
  Type,
  type Static,
} from '#kernel/values/schema.js';
import { DetectionAuthor } from './shortcut-facts.js';
import { Provenance, SignalDetected } from './signal-detected.event.js';
import { batchOfSingleContents, batchWithCandidates } from './upcast-batch.js';

/** What a candidate was seen in. */
export const CandidateContent = Type.Object({
  ref: Type.String(),
  type: OneOf('post', 'comment', 'job_posting'),
  /** What is captured of it; null: it is not captured, and named only where the workspace has it already. */
  facts: Nullable(ContentFacts),
  /** The part of the payload whose `content_id` is the id of its record; null: none of them. */
  idIn: Nullable(OneOf('data', 'interaction', 'post')),
});
export type CandidateContent = Immutable<Static<typeof CandidateContent>>;

/** A finished match, ready to be paid for and recorded. */
export const Candidate = Type.Object({
  detectionId: Id,
  /** What was found, e.g. `post:3f2a`: one detection per agent or setup and subject, for ever. */
  subject: Type.String(),
  /** What is paid for, within its launch: candidates that share it share one movement (D-07). */
  chargeKey: Type.String(),
  signalType: Type.String(),
  signalDate: Nullable(Timestamp),
  sourceUrl: Nullable(Type.String()),
  priority: Type.Union([Type.Literal(1), Type.Literal(2)]),
  /** Whether this one is paid for; a covered account or a second priority is free. */
  priced: Type.Boolean(),
  /** The detection's own first, if it is captured. */
  contents: Type.Array(CandidateContent),
  company: Nullable(ObservedCompany),
  lead: Nullable(ObservedPerson),
  /** The lead's present employer where it is not `company`, as with a hiring contact; absent: it is. */
  employer: Type.Optional(Nullable(ObservedCompany)),
  /** Where the lead is, for the place filters of queries. */
  leadPlace: Nullable(Type.Object({ country: Nullable(Type.String()), city: Nullable(Type.String()) })),
  /** The detection's own payload; a `content_id` in it is null until it is recorded. */
  data: JsonMembers,
  /** Top-level author of the detection. */
  author: Nullable(DetectionAuthor),
  excerpt: Nullable(Type.String()),
  /** The keys of `details` (OP-20) that this signal type has. */
  details: JsonMembers,
  provenance: Type.Optional(Provenance),
});
export type Candidate = Immutable<Static<typeof Candidate>>;

/** Members that one event names. */
export const MAX_CHECKED_AT_ONCE = 1_000;

const Counts = {
  matchesFound: Type.Integer({ minimum: 0 }),
  matchesDropped: Type.Integer({ minimum: 0 }),
  creditsSpent: StoredCredits,
};

/** What a detector says of a batch beside its candidates. */
const Found = {
  /** What the detector needs to go on behind this batch: opaque to all others. */
  resume: AnyJson,
  /** False when the source had nothing after this batch. */
  more: Type.Boolean(),
  /** Why a part of what was to be looked at could not be; absent: all of it was. */
  incomplete: Type.Optional(Type.String()),
  /** Members of the list whom the run looks at and later ones pass over for a while; absent: none. */
  checked: Type.Optional(Type.Array(Id)),
};

/** On a stream of its own that leaves the log by itself: nobody needs the candidates of a batch that is complete. */
export const batchEvents = {
  CandidatesFound: event(Type.Object({ candidates: Type.Array(Candidate), ...Found })),
};
export type BatchEvents = PayloadsOf<typeof batchEvents>;

export const signalRunEvents = {
  RunStarted: event(Type.Object({ runId: Id, launchId: Id, direction: Direction })),
  /** An attempt that ended in an internal error. */
  RunAttempted: event(Type.Object({ attempt: Type.Integer({ minimum: 1 }), reason: Type.String() })),
  /** It is to stop before its next batch; also before its start, where the other direction goes first. */
  RunCancellationRequested: event(Type.Object({ runId: Id, reason: Nullable(Type.String()) })),
  BatchPrepared: event(
    Type.Object({
      batch: Type.Integer({ minimum: 1 }),
      /** Of its candidates, which stand on the stream of the batch (`CandidatesFound`). */
      subjects: Type.Array(Type.String()),
      /** What they are paid for by, each once; absent: the subjects. */
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
      /** True once a hold was cut short: later priced candidates are dropped unasked. */
      dry: Type.Boolean(),
      /** What cut it short where the balance did not: a cap, or the budget of the launch. */
      dryBy: Type.Optional(OneOf('cap', 'budget')),
      /**
       * Movements that came into being with this batch, where some of its detections share one with others of the
       * launch; absent: every movement of its detections.
       */
      charges: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** With the end of a run that came to one: whom it looked at, as of `checkedAt` (D-52). */
  MembersChecked: event(
    Type.Object({
      source: Type.Object({ kind: OneOf('setup', 'agent'), id: Id }),
      launchId: Id,
      runId: Id,
      checkedAt: Timestamp,
      memberIds: Type.Array(Id, { minItems: 1, maxItems: MAX_CHECKED_AT_ONCE }),
    }),
  ),
  RunCompleted: event(Type.Object(Counts)),
  RunCompletedPartial: event(Type.Object({ ...Counts, reason: Type.String() })),
  RunFailed: event(Type.Object({ ...Counts, reason: Type.String() })),
};
export type SignalRunEvents = PayloadsOf<typeof signalRunEvents>;
