import type { JsonObject } from '#kernel/values/json.js';
import type { TemplateDetector } from '#catalogue/domain/templates/catalogue.events.js';
import { agentTypeOf } from '#signals/domain/agents/agent-types.js';
import type { Launchable } from '#signals/domain/launches/prepare-launch.js';
import type { Detector, TemplateMark } from './detector.js';
import { championJobChangeDetector } from './champion-job-change.detector.js';
import { championTrackingDetector } from './champion-tracking.detector.js';
import { contactDepartureDetector } from './contact-departure.detector.js';
import { engagementDetector } from './engagement.detector.js';
import { fundingDetector } from './funding.detector.js';
import { headcountDetector } from './headcount.detector.js';
import { hiringManagerDetector } from './hiring-manager.detector.js';
import { interactionsDetector } from './interactions.detector.js';
import { jobPostingInsightDetector } from './job-posting-insight.detector.js';
import { jobUpdateDetector } from './job-update.detector.js';
import { keywordJobPostingDetector } from './keyword-job-posting.detector.js';
import { keywordPostDetector } from './keyword-post.detector.js';
import { newExecutiveDetector } from './new-executive.detector.js';
import { newHireDetector } from './new-hire.detector.js';
import { newJobPostingDetector } from './new-job-posting.detector.js';
import { newLocationDetector } from './new-location.detector.js';
import { promotionDetector } from './promotion.detector.js';
import { renewalDetector } from './renewal.detector.js';
import { researchDetector } from './research.detector.js';

/** All detectors. */
export const detectors: readonly Detector[] = [
  keywordPostDetector,
  keywordJobPostingDetector,
  newJobPostingDetector,
  hiringManagerDetector,
  jobPostingInsightDetector,
  headcountDetector,
  newLocationDetector,
  fundingDetector,
  renewalDetector,
  researchDetector,
  newHireDetector,
  promotionDetector,
  newExecutiveDetector,
  contactDepartureDetector,
  jobUpdateDetector,
  championJobChangeDetector,
  championTrackingDetector,
  interactionsDetector,
  engagementDetector,
];

/** The detector with this name; null if this version has none. */
export const detectorNamed = (kind: string): Detector | null =>
  detectors.find((known) => known.kind === kind) ?? null;

/** The detector of a launch; an unknown one was launched by a newer version. */
export function detectorFor(kind: string): Detector {
  const found = detectorNamed(kind);
  if (found === null) throw new Error(`this version has no detector of kind ${kind}`);
  return found;
}

/** Whether a detector supports all signal types, directions, audiences and parameters of a launch. */
export const canDetect = (
  { signalTypes, directions, audiences, accepts }: Detector,
  wanted: Pick<Launchable, 'signalTypes' | 'directions' | 'audiences' | 'parameters'>,
): boolean =>
  wanted.signalTypes.every((type) => signalTypes.some((known) => known === type)) &&
  wanted.directions.every((direction) => directions.includes(direction)) &&
  wanted.audiences.every((audience) => audiences.includes(audience)) &&
  accepts(wanted.parameters);

/** The detector for setups of a template; null if this version has none for it (D-38). */
export function detectorOfTemplate(template: TemplateDetector, fields: JsonObject): Detector | null {
  const serves = (mark: TemplateMark): boolean => bears(mark, template, fields);
  return detectors.find(({ templates }) => templates.some(serves)) ?? null;
}

/** Whether a template has a mark. */
export function bears(
  { kind, signalTypes, listType, declares }: TemplateMark,
  template: TemplateDetector,
  fields: JsonObject,
): boolean {
  return (
    kind === template.kind &&
    [...signalTypes].sort().join() === [...template.signalTypes].sort().join() &&
    (listType === undefined || listType === template.listType) &&
    (declares === undefined || declares.some((property) => declaresProperty(fields, property)))
  );
}

/** Whether a schema declares a property of its value, at its root or in a branch. */
function declaresProperty(schema: unknown, property: string): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const properties: unknown = Reflect.get(schema, 'properties');
  if (typeof properties === 'object' && properties !== null && Object.hasOwn(properties, property))
    return true;
  return ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'].some((branch) => {
    const below: unknown = Reflect.get(schema, branch);
    return (Array.isArray(below) ? below : [below]).some((part) => declaresProperty(part, property));
  });
}

/** Whether this version detects the signals of an agent type; a type without signals needs no detector. */
export function isAgentTypeDetected(type: string): boolean {
  const detection = agentTypeOf(type)?.detection({}) ?? null;
  return detection === null || detectorNamed(detection.detector) !== null;
}
