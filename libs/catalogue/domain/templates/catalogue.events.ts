import { event, type Immutable, type PayloadsOf } from '#kernel/events/event.js';
import { Id, JsonMembers, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';

export const SignalBucketKey = OneOf('essential', 'standard', 'advanced');
export type SignalBucketKey = Static<typeof SignalBucketKey>;

export const TemplateStatus = OneOf('live', 'coming_soon');
export type TemplateStatus = Static<typeof TemplateStatus>;

/** How the signals of a template are found; kind names the detector, runs its directions. */
export const TemplateDetector = Type.Object({
  kind: Type.String(),
  signalTypes: Type.Array(Type.String()),
  runs: Type.Array(OneOf('single', 'inbound', 'outbound')),
  listType: Nullable(Type.String()),
  requiresPersona: Type.Boolean(),
  requiresTopAccounts: Type.Boolean(),
});
export type TemplateDetector = Immutable<Static<typeof TemplateDetector>>;

/** The fields that a revision may change: all but the key and the availability. */
export const TemplateContent = Type.Object({
  name: Type.String(),
  description: Nullable(Type.String()),
  rowSummary: Nullable(Type.String()),
  category: Type.String(),
  subjects: Type.Array(OneOf('person', 'company')),
  scopes: Type.Array(OneOf('discovery', 'account_monitoring')),
  tags: Type.Array(Type.String()),
  signalBucket: Nullable(SignalBucketKey),
  shape: Type.String(),
  displayOrder: Type.Integer(),
  /** JSON Schema of a setup's parameters. */
  fields: JsonMembers,
  detector: TemplateDetector,
});
export type TemplateContent = Immutable<Static<typeof TemplateContent>>;

/** Who set an availability or a price: a sync never overrides an operator. */
export const SetBy = OneOf('catalogue', 'operator');
export type SetBy = Static<typeof SetBy>;

const template = { templateId: Id, key: Type.String() };

export const catalogueEvents = {
  TemplateDefined: event(Type.Object({ ...template, status: TemplateStatus, content: TemplateContent })),
  TemplateRevised: event(
    Type.Object({
      ...template,
      version: Type.Integer({ minimum: 2 }),
      changes: Type.Partial(TemplateContent),
    }),
  ),
  /** coming_soon became live. */
  TemplateReleased: event(Type.Object({ ...template, setBy: SetBy })),
  /** live went back to coming_soon. */
  TemplateWithdrawn: event(Type.Object({ ...template, setBy: SetBy })),
  TemplateRetired: event(Type.Object({ ...template, setBy: SetBy, retiredAt: Timestamp })),
  TemplateReinstated: event(Type.Object({ ...template, setBy: SetBy })),
  /** Recorded again when name, description or order change: a bucket is small. */
  BucketDefined: event(
    Type.Object({
      key: SignalBucketKey,
      name: Type.String(),
      description: Nullable(Type.String()),
      displayOrder: Type.Integer(),
    }),
  ),
};
export type CatalogueEvents = PayloadsOf<typeof catalogueEvents>;
