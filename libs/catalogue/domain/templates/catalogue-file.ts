import { parseCredits, toStored } from '#kernel/values/credits.js';
import { isJsonObject, type JsonObject } from '#kernel/values/json.js';
import { note, type Faults } from '#kernel/values/faults.js';
import { compileJsonSchema, requireSoundSchema } from '#kernel/values/json-schema.js';
import { refusal } from '#kernel/values/refusal.js';
import { errorsOf, type SchemaFault } from '#kernel/values/schema-faults.js';
import { guardOf } from '#kernel/values/schema-guard.js';
import { JsonMembers, Nullable, OneOf, Type, type Static } from '#kernel/values/schema.js';
import { patternFaults } from './pattern-faults.js';
import { SignalBucketKey, TemplateStatus, type CatalogueEvents } from './catalogue.events.js';
import shippedCatalogueJson from './shipped-catalogue.json' with { type: 'json' };

const Text = Type.String({ minLength: 1, pattern: '\\S' });
const ListType = OneOf('competitor', 'partner', 'customer', 'prospect', 'influencer', 'champion', 'employee');
/** How a client renders the form of a setup. */
export const TEMPLATE_SHAPES = [
  'keyword',
  'engagement',
  'job_change',
  'job_posting',
  'firmographic',
  'internal_signal',
  'custom',
] as const;
/** Decimal text, or null while there is no price. */
const Price = Nullable(Type.String({ pattern: '^\\d{1,10}(\\.\\d{1,6})?$' }));

const CatalogueFile = Type.Object({
  buckets: Type.Array(
    Type.Object({
      key: SignalBucketKey,
      name: Text,
      description: Nullable(Type.String()),
      display_order: Type.Integer(),
      credits_per_month: Price,
    }),
  ),
  templates: Type.Array(
    Type.Object({
      key: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 100 }),
      name: Text,
      description: Nullable(Type.String()),
      row_summary: Nullable(Type.String()),
      category: Text,
      status: TemplateStatus,
      subjects: Type.Array(OneOf('person', 'company'), { minItems: 1, uniqueItems: true }),
      scopes: Type.Array(OneOf('discovery', 'account_monitoring'), { minItems: 1, uniqueItems: true }),
      tags: Type.Array(Type.String()),
      signal_bucket: Nullable(SignalBucketKey),
      discovery_credits: Price,
      shape: OneOf(...TEMPLATE_SHAPES),
      display_order: Type.Integer(),
      retired: Type.Boolean(),
      fields: JsonMembers,
      detector: Type.Object({
        kind: Text,
        signal_types: Type.Array(Text, { minItems: 1 }),
        runs: Type.Array(OneOf('single', 'inbound', 'outbound'), { minItems: 1, uniqueItems: true }),
        list_type: Nullable(ListType),
        requires_persona: Type.Boolean(),
        requires_top_accounts: Type.Boolean(),
      }),
    }),
  ),
});

/** A valid catalogue: the shipped one, or one that `catalogue.sync` gets. */
export type CatalogueFile = Static<typeof CatalogueFile>;

export const invalidCatalogue = refusal({
  code: 'invalid-catalogue',
  kind: 'unprocessable',
  detail: 'The catalogue is not valid; nothing was changed.',
});

const isCatalogueFile = guardOf(CatalogueFile);

/** Reads a catalogue, or throws `invalidCatalogue` naming every place that is wrong. */
export function parseCatalogueFile(input: unknown): CatalogueFile {
  if (!isCatalogueFile(input)) {
    throw invalidCatalogue({ errors: errorsOf(compileJsonSchema(CatalogueFile)(input), describe) });
  }
  const errors: Faults = new Map();
  const report = (place: string, message: string): void => note(errors, place, message);
  reportRepeated(input.buckets, 'buckets', report);
  reportRepeated(input.templates, 'templates', report);
  for (const [index, template] of input.templates.entries()) {
    const place = `templates.${index}.fields`;
    const unenforced = patternFaults(template.fields);
    for (const { path, message } of unenforced) report(`${place}.${path}`, message);
    for (const message of fieldFaults(template, unenforced.length === 0)) report(place, message);
  }
  if (errors.size > 0) throw invalidCatalogue({ errors });
  return input;
}

function describe(fault: SchemaFault): readonly [place: string, message: string] {
  const message = fault.kind === 'invalid' ? fault.message : `${fault.property} is ${fault.kind}`;
  return [fault.path.length === 0 ? 'catalogue' : fault.path.join('.'), message];
}

function reportRepeated(
  entries: readonly { readonly key: string }[],
  name: string,
  report: (place: string, message: string) => void,
): void {
  const seen = new Set<string>();
  for (const [index, { key }] of entries.entries()) {
    if (seen.has(key)) report(`${name}.${index}.key`, `${key} occurs twice`);
    seen.add(key);
  }
}

/** A template that watches a list must have the list as a parameter; any other must not. */
function fieldFaults(
  { fields, detector }: CatalogueFile['templates'][number],
  isCompiled: boolean,
): readonly string[] {
  const faults: string[] = [];
  try {
    if (isCompiled) requireSoundSchema(fields);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : 'is not a JSON Schema');
  }
  const properties = memberOf(fields, 'properties');
  for (const name of Object.keys(properties).filter((property) => property in Object.prototype)) {
    faults.push(`a parameter cannot be named ${name}`);
  }
  const listType = memberOf(properties, 'list_id')['x-watchlist-type'] ?? null;
  if (listType !== detector.list_type) {
    faults.push(`list_id must carry the x-watchlist-type of the detector (${detector.list_type ?? 'none'})`);
  }
  const required = fields['required'];
  if (detector.list_type !== null && !(Array.isArray(required) && required.includes('list_id'))) {
    faults.push('list_id must be required');
  }
  return faults;
}

function memberOf(object: JsonObject, name: string): JsonObject {
  const member = Object.hasOwn(object, name) ? object[name] : undefined;
  return isJsonObject(member) ? member : {};
}

/** The catalogue of this version. A test validates it, so the start does not: compiling the schema takes 18 ms. */
export function shippedCatalogue(): CatalogueFile {
  const shipped: unknown = shippedCatalogueJson;
  if (!isShipped(shipped)) throw new Error('the shipped catalogue is none');
  return shipped;
}

/** The types of a JSON file have no literals, so its type is claimed and not checked. */
const isShipped = (file: unknown): file is CatalogueFile => file === shippedCatalogueJson;

/** The buckets of a file in the form of their events. */
export function bucketsOf(file: CatalogueFile): readonly CatalogueEvents['BucketDefined'][] {
  return file.buckets.map(({ key, name, description, display_order }) => ({
    key,
    name,
    description,
    displayOrder: display_order,
  }));
}

export type FileTemplate = Omit<CatalogueEvents['TemplateDefined'], 'templateId'> & {
  readonly retired: boolean;
};

/** The templates of a file in the form of the events. */
export function templatesOf(file: CatalogueFile): readonly FileTemplate[] {
  return file.templates.map((template) => ({
    key: template.key,
    status: template.status,
    retired: template.retired,
    content: {
      name: template.name,
      description: template.description,
      rowSummary: template.row_summary,
      category: template.category,
      subjects: template.subjects,
      scopes: template.scopes,
      tags: template.tags,
      signalBucket: template.signal_bucket,
      shape: template.shape,
      displayOrder: template.display_order,
      fields: template.fields,
      detector: {
        kind: template.detector.kind,
        signalTypes: template.detector.signal_types,
        runs: template.detector.runs,
        listType: template.detector.list_type,
        requiresPersona: template.detector.requires_persona,
        requiresTopAccounts: template.detector.requires_top_accounts,
      },
    },
  }));
}

/** The prices a file names: stored credits by price item (`bucket:<key>`, `discovery:<key>`), null for no price. */
export function pricesOf(file: CatalogueFile): ReadonlyMap<string, string | null> {
  const stored = (price: string | null) => {
    const amount = parseCredits(price);
    return amount === null ? null : toStored(amount);
  };
  return new Map([
    ...file.buckets.map((bucket) => [`bucket:${bucket.key}`, stored(bucket.credits_per_month)] as const),
    ...file.templates.map(
      (template) => [`discovery:${template.key}`, stored(template.discovery_credits)] as const,
    ),
  ]);
}
