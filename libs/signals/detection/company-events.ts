import type { JsonObject, JsonValue } from '#kernel/values/json.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type { CompanyEventKind, ObservedCompanyEvent } from '#network/network-source.port.js';
import { positionFrom } from '#network/position.js';
import { companyAudience } from './company-audience.js';
import { oneByOne, type DetectorRun, type Search } from './detector.js';
import type { Finding, FindingOf } from './finding.js';
import { bounded, boundedUrl, EXCERPT_LENGTH } from '#kernel/values/bounded-text.js';
import type { PayloadOf } from '#signals/domain/runs/payload-facts.js';
import { windowOf } from './window.js';

/** The report of an event: its answer as text, and the same facts as values. */
export type EventReport = Pick<PayloadOf<'deepSearch'>, 'answer' | 'facts'>;

/**
 * Events of one kind about the companies of a run, oldest first (D-72); `reportOf` returns null for events to leave out.
 */
export async function companyEvents(
  run: DetectorRun<unknown>,
  event: CompanyEventKind,
  reportOf: (event: ObservedCompanyEvent) => EventReport | null,
): Promise<Search<ObservedCompanyEvent>> {
  const { companyRefs, includes } = await companyAudience(run);
  const search = { ...windowOf(run), events: [event], ...(companyRefs === null ? {} : { companyRefs }) };
  return {
    read: (resume, limit) => run.source.companyEvents({ ...search, position: positionFrom(resume), limit }),
    judge: oneByOne((observed: ObservedCompanyEvent) => {
      const { company, occurredAt, ref } = observed;
      if (company === null || !includes(company)) return null;
      const report = reportOf(observed);
      if (report === null) return null;
      return eventFinding(run, observed, company, {
        ...report,
        subject: `company_event:${ref}`,
        signalDate: occurredAt,
      });
    }),
  };
}

/** The finding of a company event. It has one piece of evidence if its link or a text is known. */
export function eventFinding(
  { templateKey }: Pick<DetectorRun<unknown>, 'templateKey'>,
  { fields, reading }: ObservedCompanyEvent,
  company: CompanyFacts,
  report: EventReport & Pick<Finding, 'subject' | 'formerSubjects' | 'signalDate'>,
): FindingOf<'deepSearch'> {
  const { answer, facts, ...found } = report;
  const url = boundedUrl(textIn(fields, 'url'));
  const extract = textField(fields, 'extract', EXCERPT_LENGTH);
  const evidence = url === null && extract === null ? [] : [{ url, extract }];
  return {
    ...found,
    signalType: 'deepSearch',
    company,
    lead: null,
    contents: [],
    readings: [reading],
    data: { question: templateKey, answer, evidence, facts },
  };
}

/** A text among the fields of an event; another JSON type counts as unknown (D-72). */
export const textField = (fields: JsonObject, name: string, length?: number): string | null =>
  bounded(textIn(fields, name), length);

function textIn(fields: JsonObject, name: string): string | null {
  const value = fieldOf(fields, name);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** A number among the fields of an event; another JSON type counts as unknown. */
export function numberField(fields: JsonObject, name: string): number | null {
  const value = fieldOf(fields, name);
  return typeof value === 'number' ? value : null;
}

const fieldOf = (fields: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** The known parts, joined by commas; null if no part is known. */
export const joined = (parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null).join(', ') || null;
