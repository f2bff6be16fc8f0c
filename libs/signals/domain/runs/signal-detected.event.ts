import { event } from '#kernel/events/event.js';
import {
  AnyJson,
  Id,
  JsonMembers,
  Nullable,
  OneOf,
  StoredCredits,
  Timestamp,
  Type,
} from '#kernel/values/schema.js';

const nullableText = Nullable(Type.String());

/** The person behind the source content, as detections show it. */
export const DetectionAuthor = Type.Object(
  {
    full_name: nullableText,
    headline: nullableText,
    network_url: nullableText,
  },
  { title: 'DetectionAuthor' },
);

/** A signal was found. On run streams, and on streams of their own for those added by hand. */
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
    sourceUrl: nullableText,
    leadId: Nullable(Id),
    /** Country and city of the lead's geo as observed; absent or null when unknown or without a lead. */
    leadCountry: Type.Optional(nullableText),
    leadCity: Type.Optional(nullableText),
    companyId: Nullable(Id),
    contentId: Nullable(Id),
    author: Nullable(DetectionAuthor),
    excerpt: nullableText,
    /** The payload of the detection as the v2 query answers it: an object, or what an operator gave (OP-71). */
    data: AnyJson,
    /** The thirteen keys of `details` that differ from null (OP-20). */
    details: JsonMembers,
  }),
  // in the first version the payload was an object always
  [(data) => data],
);
