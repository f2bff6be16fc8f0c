import type { Immutable } from '#kernel/events/event.js';
import type { JsonObject, JsonValue } from '#kernel/values/json.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Id, Nullable, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import {
  companies,
  companyKey,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import { leadKey, leads, type LeadDocument } from '#projections/identities/leads/leads.projection.js';
import { shortcutsIn } from '#signals/domain/runs/shortcut-facts.js';
import { ShownProvenance, provenancesOf } from '#projections/sources/sources/provenance.js';
import type { DetectionDocument } from './detections.projection.js';
import { FREE, pricesOfSignals, SignalPrice } from './signal-prices.js';

const nullableText = Nullable(Type.String());

/** Members that a signal type does not have are null (OP-20). */
const SignalDetails = Type.Object(
  {
    post_text: nullableText,
    action_date: Nullable(Timestamp),
    interaction: nullableText,
    comment_text: nullableText,
    counterpart_name: nullableText,
    counterpart_role: nullableText,
    counterpart_company: nullableText,
    job_title: nullableText,
    new_role: nullableText,
    new_company: nullableText,
    previous_role: nullableText,
    previous_company: nullableText,
    keywords: Nullable(Type.Array(Type.String())),
  },
  { title: 'SignalDetails' },
);

/** A signal as v3 shows it: in the v3 query, and as the latest signal of a setup. */
export const SignalSummary = Type.Object(
  {
    id: Id,
    signal_type: nullableText,
    signal_date: Nullable(Timestamp),
    detected_at: Nullable(Timestamp),
    source_url: nullableText,
    lead: Nullable(
      Type.Object(
        {
          id: Id,
          full_name: nullableText,
          title: nullableText,
          photo_url: nullableText,
          network_url: nullableText,
        },
        { title: 'SignalLead' },
      ),
    ),
    company: Nullable(Type.Object({ id: Id, name: nullableText }, { title: 'SignalCompany' })),
    details: SignalDetails,
    provenance: ShownProvenance,
    ...SignalPrice,
  },
  { title: 'SignalSummary' },
);
export type SignalSummary = Immutable<Static<typeof SignalSummary>>;

/** Detections as v3 shows them, in the same order, with the current lead and company. */
export async function summarizeSignals(
  readModels: ReadModels,
  found: readonly DetectionDocument[],
): Promise<readonly SignalSummary[]> {
  const [knownLeads, knownCompanies, prices, provenances] = await Promise.all([
    readModels.getMany(
      leads,
      keysOf(found, ({ leadId }) => leadId, leadKey),
    ),
    readModels.getMany(
      companies,
      keysOf(found, ({ companyId }) => companyId, companyKey),
    ),
    pricesOfSignals(readModels, found),
    provenancesOf(readModels, found),
  ]);
  return found.map((detection, index) => {
    const { sourceUrl, details } = shortcutsIn(detection);
    return {
      id: detection.id,
      signal_type: detection.signalType,
      signal_date: detection.signalDate,
      detected_at: detection.detectedAt,
      source_url: sourceUrl,
      lead: leadOf(detection, knownLeads),
      company: companyOf(detection, knownCompanies),
      details: { ...detailsOf(details), action_date: detection.signalDate },
      provenance: provenances[index] ?? [],
      ...(prices[index] ?? FREE),
    };
  });
}

function keysOf(
  found: readonly DetectionDocument[],
  idOf: (detection: DetectionDocument) => number | null,
  keyOf: (id: number) => string,
): readonly string[] {
  const ids = found.map(idOf).filter((id) => id !== null);
  return [...new Set(ids)].map(keyOf);
}

function leadOf(
  { leadId }: DetectionDocument,
  known: ReadonlyMap<string, LeadDocument>,
): SignalSummary['lead'] {
  const lead = leadId === null ? undefined : known.get(leadKey(leadId));
  if (lead === undefined) return null;
  const { first_name, last_name, position, avatar_url, network_url } = lead.facts;
  const names = [first_name, last_name].filter((name) => name !== null);
  return {
    id: lead.id,
    full_name: names.length === 0 ? null : names.join(' '),
    title: position,
    photo_url: avatar_url,
    network_url,
  };
}

function companyOf(
  { companyId }: DetectionDocument,
  known: ReadonlyMap<string, CompanyDocument>,
): SignalSummary['company'] {
  const company = companyId === null ? undefined : known.get(companyKey(companyId));
  return company === undefined ? null : { id: company.id, name: company.facts.name };
}

function detailsOf(details: JsonObject): Omit<SignalSummary['details'], 'action_date'> {
  const text = (key: string): string | null => {
    const value = details[key];
    return typeof value === 'string' ? value : null;
  };
  return {
    post_text: text('post_text'),
    interaction: text('interaction'),
    comment_text: text('comment_text'),
    counterpart_name: text('counterpart_name'),
    counterpart_role: text('counterpart_role'),
    counterpart_company: text('counterpart_company'),
    job_title: text('job_title'),
    new_role: text('new_role'),
    new_company: text('new_company'),
    previous_role: text('previous_role'),
    previous_company: text('previous_company'),
    keywords: textsOf(details['keywords']),
  };
}

function textsOf(value: JsonValue | undefined): readonly string[] | null {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : null;
}
