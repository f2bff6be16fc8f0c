import type { JsonObject } from '#kernel/values/json.js';
import { visibleText } from '#kernel/values/blank-text.js';

/**
 * An observation of the outside world, one sighting of one thing, as the stores keep it. `ref` names the thing
 * permanently, `rev` counts its sightings. Timestamps are UTC with milliseconds, absent facts are null.
 */
type Sighting = { readonly ref: string; readonly rev: number };

export type Geo = {
  readonly city: string | null;
  readonly region: string | null;
  readonly country: string | null;
  readonly countryCode: string | null;
};

export type CompanyLocation = {
  readonly isHq: boolean;
  readonly city: string | null;
  readonly region: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly countryCode: string | null;
  readonly postalCode: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly formattedAddress: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
};

export type CompanyObservation = Sighting & {
  readonly kind: 'company';
  /** A company has a handle or a domain, or both. */
  readonly handle: string | null;
  readonly domains: readonly string[];
  readonly name: string | null;
  readonly industry: string | null;
  readonly employees: number | null;
  readonly employeeRange: string | null;
  readonly foundedYear: number | null;
  readonly tagline: string | null;
  readonly activitySummary: string | null;
  readonly logoUrl: string | null;
  readonly locations: readonly CompanyLocation[];
};

/** Dates are as the network shows them: `2024`, `2024-03` or `2024-03-01`. An end of null is an open position. */
export type Experience = {
  readonly title: string | null;
  readonly companyRef: string | null;
  readonly companyName: string | null;
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly department: string | null;
  readonly seniority: string | null;
  readonly location: string | null;
};

export type PersonObservation = Sighting & {
  readonly kind: 'person';
  /** Null if only the ref names the person (SRC-08). */
  readonly handle: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly headline: string | null;
  readonly about: string | null;
  readonly avatarUrl: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly geo: Geo | null;
  /** Null if the work history is unknown. */
  readonly experiences: readonly Experience[] | null;
  readonly observedAt: string | null;
};

export type PostObservation = Sighting & {
  readonly kind: 'post';
  /** Ref of a person or company. */
  readonly authorRef: string | null;
  readonly url: string | null;
  readonly text: string | null;
  readonly publishedAt: string | null;
};

export type CommentObservation = Sighting & {
  readonly kind: 'comment';
  readonly postRef: string | null;
  readonly authorRef: string | null;
  readonly url: string | null;
  readonly text: string | null;
  readonly publishedAt: string | null;
};

export type ReactionObservation = Sighting & {
  readonly kind: 'reaction';
  readonly postRef: string | null;
  readonly authorRef: string | null;
  readonly reaction: string | null;
  readonly reactedAt: string | null;
};

export type JobPostingObservation = Sighting & {
  readonly kind: 'job_posting';
  readonly companyRef: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly url: string | null;
  readonly hiringManagerRef: string | null;
  readonly postedAt: string | null;
  /** Absent if unknown, so that bodies stored by earlier versions stay equal. */
  readonly department?: string;
  readonly workplace?: Workplace;
  readonly salary?: Salary;
};

export type Workplace = 'on_site' | 'hybrid' | 'remote';

/** Integer or decimal units of the currency, as in the posting; a missing bound is null. */
export type Salary = {
  readonly currency: string | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly interval: SalaryInterval | null;
};

export type SalaryInterval = 'hour' | 'day' | 'week' | 'month' | 'year';

export type HeadcountObservation = Sighting & {
  readonly kind: 'headcount';
  readonly companyRef: string | null;
  readonly department: string | null;
  readonly employees: number | null;
  readonly observedAt: string | null;
};

export type CompanyEventObservation = Sighting & {
  readonly kind: 'company_event';
  readonly companyRef: string | null;
  readonly event: string | null;
  readonly fields: JsonObject;
  readonly occurredAt: string | null;
};

/** The network knows that nothing exists: at a domain, or with a handle of one entity (null: of either). */
export type MissingObservation = Sighting & {
  readonly kind: 'missing';
  readonly domain: string | null;
  readonly handle: string | null;
  readonly entity: 'company' | 'person' | null;
};

/** One domain that several companies use. */
export type AliasObservation = Sighting & {
  readonly kind: 'alias';
  readonly domain: string;
  readonly companyRefs: readonly string[];
};

export type Observation =
  | CompanyObservation
  | PersonObservation
  | PostObservation
  | CommentObservation
  | ReactionObservation
  | JobPostingObservation
  | HeadcountObservation
  | CompanyEventObservation
  | MissingObservation
  | AliasObservation;

export type ObservationKind = Observation['kind'];

/**
 * The current position: the open experience with the latest start; an unknown start is the earliest, and of equal
 * ones the first listed counts (OP-70). Null if there is none.
 */
export function currentExperience(experiences: readonly Experience[] | null): Experience | null {
  let current: Experience | null = null;
  for (const experience of experiences ?? []) {
    if (experience.endDate !== null) continue;
    if (current === null || (experience.startDate ?? '') > (current.startDate ?? '')) current = experience;
  }
  return current;
}

/** The time in milliseconds since 1970, by which the store orders. Null if unknown or timeless. */
export function happenedAtMs(observation: Observation): number | null {
  const at = happenedAt(observation);
  return at === null ? null : Date.parse(at);
}

/** The date of the window. A person has none: a change of a person is a move, which has its own date. */
function happenedAt(observation: Observation): string | null {
  switch (observation.kind) {
    case 'post':
    case 'comment':
      return observation.publishedAt;
    case 'reaction':
      return observation.reactedAt;
    case 'job_posting':
      return observation.postedAt;
    case 'headcount':
      return observation.observedAt;
    case 'company_event':
      return observation.event === 'renewal_due' ? renewalDay(observation.fields) : observation.occurredAt;
    case 'person':
    case 'company':
    case 'missing':
    case 'alias':
      return null;
  }
}

/** D-73: a renewal is looked up by its due day. */
function renewalDay({ renewal_date: day }: JsonObject): string | null {
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const due = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(due.getTime()) && due.toISOString().startsWith(day) ? due.toISOString() : null;
}

/** Ref of the subject: the author, the company, or a person's current employer. */
export function subjectRef(observation: Observation): string | null {
  switch (observation.kind) {
    case 'post':
    case 'comment':
    case 'reaction':
      return observation.authorRef;
    case 'job_posting':
    case 'headcount':
    case 'company_event':
      return observation.companyRef;
    case 'person':
      return currentExperience(observation.experiences)?.companyRef ?? null;
    case 'company':
    case 'missing':
    case 'alias':
      return null;
  }
}

/** Ref of the target: the post of a comment or reaction. */
export function targetRef(observation: Observation): string | null {
  return observation.kind === 'comment' || observation.kind === 'reaction' ? observation.postRef : null;
}

/** Whether it may change the company or person of a name, or an employment. */
export function isLearning({ kind }: Observation): boolean {
  return kind === 'company' || kind === 'person' || kind === 'missing' || kind === 'alias';
}

/** The text that keywords are searched in; null for kinds without one, and for a post with a blank one (D-11). */
export function searchableText(observation: Observation): string | null {
  if (observation.kind === 'post') return visibleText(observation.text);
  if (observation.kind !== 'job_posting') return null;
  const parts = [observation.title, observation.description].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('\n');
}
