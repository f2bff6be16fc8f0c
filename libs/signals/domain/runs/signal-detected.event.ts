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

/** The maximum number of readings in one detection (SRC-07). */
export const MAX_READINGS = 20;

/** The readings of sources that showed the observation. */
export const Provenance = Type.Array(Type.Object({ sourceId: Id, readAt: Timestamp }), {
  minItems: 1,
  maxItems: MAX_READINGS,
});
export type Provenance = Immutable<Static<typeof Provenance>>;

/**
 * A signal was found. On run streams, or on a separate stream if it was added by hand. `shortcutsIn` returns link,
 * author, excerpt and details: values that can be derived from the payload are absent here.
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
    /** The credits of that movement; absent if there is none, and in events of earlier versions. */
    credits: Type.Optional(StoredCredits),
    subject: Type.String(),
    signalDate: Nullable(Timestamp),
    sourceUrl: Type.Optional(nullableText),
    leadId: Nullable(Id),
    /** Country and city of the lead as observed; absent or null when unknown or without a lead. */
    leadCountry: Type.Optional(nullableText),
    leadCity: Type.Optional(nullableText),
    companyId: Nullable(Id),
    contentId: Nullable(Id),
    author: Type.Optional(Nullable(DetectionAuthor)),
    excerpt: Type.Optional(nullableText),
    /**
     * The payload of the detection as the v2 query answers it: an object, or any JSON that an operator gave (OP-71).
     */
    data: AnyJson,
    /** The keys of `details` (OP-20) that differ from the payload; null: there is none. */
    details: JsonMembers,
    /** Absent if no source was involved. */
    provenance: Type.Optional(Provenance),
  }),
  // in the first version the payload was always an object
  [(data) => data, detectionWithoutRepeats],
);
