import { event, type Immutable } from '#kernel/events/event.js';
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
import { detectionWithoutRepeats } from './upcast-detection.js';

const nullableText = Nullable(Type.String());

/** Readings of sources that one detection names at most (SRC-07). */
export const MAX_READINGS = 20;

/** Which readings of which sources showed what was judged. */
export const Provenance = Type.Array(Type.Object({ sourceId: Id, readAt: Timestamp }), {
  minItems: 1,
  maxItems: MAX_READINGS,
});
export type Provenance = Immutable<Static<typeof Provenance>>;

/**
 * A signal was found. On run streams, and on streams of their own for those added by hand. `shortcutsIn` gives link,
 * author, excerpt and details: what the payload says of them is absent here.
 */
export const SignalDetected = event(
  Type.Object({
    detectionId: Id,
    signalType: Type.String(),
    priority: Type.Union([Type.Literal(1), Type.Literal(2)]),
    origin: OneOf('run', 'manual'),
    setupId: Type.Optional(Id),
    agentId: Type.Optional(Id),
    launchId: Type.Optional(Id),
    runId: Type.Optional(Id),
    movementId: Nullable(Id),
    /** What that movement costs; absent where there is none, and in events of before it was carried. */
    credits: Type.Optional(StoredCredits),
    subject: Type.String(),
    signalDate: Nullable(Timestamp),
    sourceUrl: Type.Optional(nullableText),
    leadId: Nullable(Id),
    /** Country and city of the lead's geo as observed; absent or null when unknown or without a lead. */
    leadCountry: Type.Optional(nullableText),
    leadCity: Type.Optional(nullableText),
    companyId: Nullable(Id),
    contentId: Nullable(Id),
    author: Type.Optional(Nullable(DetectionAuthor)),
    excerpt: Type.Optional(nullableText),
    /** The payload of the detection as the v2 query answers it: an object, or what an operator gave (OP-71). */
    data: AnyJson,
    /** The keys of `details` (OP-20) that the payload says otherwise; null: there is none. */
    details: JsonMembers,
    /** Absent where nothing of it came from a source. */
    provenance: Type.Optional(Provenance),
  }),
  // in the first version the payload was an object always
  [(data) => data, detectionWithoutRepeats],
);
