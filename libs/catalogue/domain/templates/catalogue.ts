import { decider } from '#kernel/commands/decider.js';
import type { EventOf } from '#kernel/events/event.js';
import { canonicalJson } from '#kernel/values/json.js';
import { refusal } from '#kernel/values/refusal.js';
import {
  catalogueEvents,
  type CatalogueEvents,
  type SetBy,
  type SignalBucketKey,
  type TemplateContent,
  type TemplateStatus,
} from './catalogue.events.js';
import { bucketsOf, templatesOf, type CatalogueFile } from './catalogue-file.js';

export type CatalogueTemplate = CatalogueEvents['TemplateDefined'] & {
  readonly version: number;
  readonly retired: boolean;
  /** Who set the availability last. */
  readonly availabilitySetBy: SetBy;
};

type Bucket = CatalogueEvents['BucketDefined'];

/** The catalogue: one stream, which also assigns the ids of templates in the order of their definition. */
export type Catalogue = {
  readonly templates: Map<string, CatalogueTemplate>;
  readonly buckets: Map<SignalBucketKey, Bucket>;
};

function amend(catalogue: Catalogue, key: string, changes: Partial<CatalogueTemplate>): Catalogue {
  const template = catalogue.templates.get(key);
  if (template !== undefined) catalogue.templates.set(key, { ...template, ...changes });
  return catalogue;
}

export const catalogue = decider<Catalogue>()({
  category: 'catalogue',
  scope: 'global',
  vocabulary: catalogueEvents,
  initial: () => ({ templates: new Map(), buckets: new Map() }),
  on: {
    TemplateDefined: (state, { data }) => {
      state.templates.set(data.key, {
        ...data,
        version: 1,
        retired: false,
        availabilitySetBy: 'catalogue',
      });
      return state;
    },
    TemplateRevised: (state, { data }) => {
      const content = state.templates.get(data.key)?.content;
      return content === undefined
        ? state
        : amend(state, data.key, { version: data.version, content: { ...content, ...data.changes } });
    },
    TemplateReleased: (state, { data }) =>
      amend(state, data.key, { status: 'live', availabilitySetBy: data.setBy }),
    TemplateWithdrawn: (state, { data }) =>
      amend(state, data.key, { status: 'coming_soon', availabilitySetBy: data.setBy }),
    TemplateRetired: (state, { data }) =>
      amend(state, data.key, { retired: true, availabilitySetBy: data.setBy }),
    TemplateReinstated: (state, { data }) =>
      amend(state, data.key, { retired: false, availabilitySetBy: data.setBy }),
    BucketDefined: (state, { data }) => {
      state.buckets.set(data.key, data);
      return state;
    },
  },
});

type CatalogueEvent = EventOf<CatalogueEvents>;

export const unknownTemplateKey = refusal({
  code: 'unknown-template-key',
  kind: 'missing',
  detail: 'The catalogue has no signal template with this key.',
});

export type SyncCatalogue = {
  readonly file: CatalogueFile;
  /** Also retire the templates that the file does not name. */
  readonly retireMissing: boolean;
  readonly now: string;
};

/**
 * Updates the catalogue to the content of a file; idempotent. The file sets the availability of a template until an
 * operator sets it (OPS-09); then the operator's value is kept, except that `retireMissing` is itself a decision of
 * an operator.
 */
export const syncCatalogue =
  ({ file, retireMissing, now }: SyncCatalogue) =>
  (state: Catalogue): CatalogueEvent[] => {
    const wanted = templatesOf(file);
    const named = new Set(wanted.map((template) => template.key));
    const missing = retireMissing
      ? [...state.templates.values()].filter((template) => !template.retired && !named.has(template.key))
      : [];
    let lastId = Math.max(0, ...[...state.templates.values()].map((template) => template.templateId));
    return [
      ...bucketsOf(file)
        .filter((bucket) => canonicalJson(state.buckets.get(bucket.key)) !== canonicalJson(bucket))
        .map((data): CatalogueEvent => ({ type: 'BucketDefined', data })),
      ...wanted.flatMap((template): CatalogueEvent[] => {
        const known = state.templates.get(template.key);
        if (known !== undefined) {
          return [...revision(known, template.content), ...fileAvailability(known, template, now)];
        }
        lastId += 1;
        const { key, status, content } = template;
        const defined: CatalogueEvent = {
          type: 'TemplateDefined',
          data: { templateId: lastId, key, status, content },
        };
        return template.retired
          ? [defined, retired({ templateId: lastId, key }, 'catalogue', now)]
          : [defined];
      }),
      ...missing.map((template) => retired(template, 'catalogue', now)),
    ];
  };

function revision(known: CatalogueTemplate, content: TemplateContent): CatalogueEvent[] {
  const changes = Object.fromEntries(
    Object.entries(content).filter(
      ([field, value]) => canonicalJson(Reflect.get(known.content, field)) !== canonicalJson(value),
    ),
  );
  if (Object.keys(changes).length === 0) return [];
  const { templateId, key, version } = known;
  return [{ type: 'TemplateRevised', data: { templateId, key, version: version + 1, changes } }];
}

function fileAvailability(
  known: CatalogueTemplate,
  wanted: Pick<CatalogueTemplate, 'status' | 'retired'>,
  now: string,
): CatalogueEvent[] {
  if (known.availabilitySetBy === 'operator') return [];
  return [
    ...statusChange(known, wanted.status, 'catalogue'),
    ...retirement(known, wanted.retired, 'catalogue', now),
  ];
}

/** An operator's setting of one template: its status, or whether it is retired. */
export type SetAvailability = { readonly key: string; readonly now: string } & (
  { readonly status: TemplateStatus } | { readonly retired: boolean }
);

/** Releases, withdraws, retires or reinstates one template (OPS-09); no event if nothing changes. */
export const setAvailability =
  (wish: SetAvailability) =>
  (state: Catalogue): CatalogueEvent[] => {
    const template = state.templates.get(wish.key);
    if (template === undefined) throw unknownTemplateKey();
    return 'status' in wish
      ? statusChange(template, wish.status, 'operator')
      : retirement(template, wish.retired, 'operator', wish.now);
  };

function statusChange(template: CatalogueTemplate, status: TemplateStatus, setBy: SetBy): CatalogueEvent[] {
  if (template.status === status) return [];
  const data = { templateId: template.templateId, key: template.key, setBy };
  return [{ type: status === 'live' ? 'TemplateReleased' : 'TemplateWithdrawn', data }];
}

function retirement(
  template: CatalogueTemplate,
  retire: boolean,
  setBy: SetBy,
  now: string,
): CatalogueEvent[] {
  if (template.retired === retire) return [];
  if (retire) return [retired(template, setBy, now)];
  return [
    { type: 'TemplateReinstated', data: { templateId: template.templateId, key: template.key, setBy } },
  ];
}

function retired(
  { templateId, key }: Pick<CatalogueTemplate, 'templateId' | 'key'>,
  setBy: SetBy,
  now: string,
): CatalogueEvent {
  return { type: 'TemplateRetired', data: { templateId, key, setBy, retiredAt: now } };
}
