import { grouped } from '#kernel/values/grouped.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { ProcessHost } from '#process-engine/process.js';
import { eachPage } from '#kernel/projections/each-page.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { ObservationKind } from '#network/observation.js';
import { signalTemplates } from '#projections/catalogue/signal-templates/signal-templates.projection.js';
import {
  standingQuestions,
  type StandingQuestionDocument,
} from '#projections/signals/standing-questions/standing-questions.projection.js';
import type { Detector } from '#signals/detection/detector.js';
import { detectorNamed, detectorOfTemplate } from '#signals/detection/detectors.js';
import { agentTypeOf } from '#signals/domain/agents/agent-types.js';
import type { RunLaunched } from '#signals/domain/launches/launch.events.js';

/** What an enabled agent or setup searches for in its passes. */
export type StandingQuestion = {
  readonly workspaceId: number;
  readonly source: RunLaunched['source'];
  /** Kinds of observation that may answer it. */
  readonly arrivals: readonly ObservationKind[];
  /** One of them must be in the text; null: none is required. */
  readonly keywords: readonly string[] | null;
  /** The companies that it is about: those covered for a persona, the found top accounts, or any. */
  readonly about: { readonly covered: number } | 'top_accounts' | 'anybody';
};

const PAGE = 500;
/** Long enough to read the checkpoints. */
const SETTLED_TIMEOUT_MS = 200;
const CHANGES = Object.keys(standingQuestions.on);

export const questionKey = ({ workspaceId, source }: StandingQuestion): string =>
  workspaceScoped(workspaceId, source.id);

export type QuestionIndex = ReturnType<typeof questionIndex>;

/** The standing questions of all workspaces, in the memory of one worker. */
export function questionIndex({ readModels, progress }: Pick<ProcessHost, 'readModels' | 'progress'>) {
  const questions = new Map<string, StandingQuestion>();
  /** The last change that was read of each of them. */
  const changes = new Map<string, string>();
  let since = '';
  let newest = '';
  let matchers = new Map<ObservationKind, Matcher>();

  return {
    /**
     * Reads the changes since the last call. The read model may show a later change first: several workers project it,
     * and on MongoDB a slice becomes visible in parts. So changes are read again until all of them are visible.
     */
    async refresh(signal: AbortSignal): Promise<void> {
      const written = { position: newest, types: CHANGES, workspaceId: null };
      const settled =
        newest > since && (await progress.reached(written, SETTLED_TIMEOUT_MS)) ? newest : since;
      const detectorOf = templateDetectors(readModels);
      const pages = eachPage(readModels, standingQuestions, {
        where: { changed: { gt: since } },
        sort: [
          ['changed', 'asc'],
          ['ownerId', 'asc'],
        ],
        limit: PAGE,
        signal,
      });
      for await (const page of pages) {
        for (const document of page) {
          const key = workspaceScoped(document.workspaceId, document.ownerId);
          if (document.changed > newest) newest = document.changed;
          if (changes.get(key) === document.changed) continue;
          const question = questionOf(document, await detectorOf(document));
          if (question === null) questions.delete(key);
          else questions.set(key, question);
          changes.set(key, document.changed);
          matchers = new Map();
        }
      }
      since = settled;
    },

    /** Questions that an observation of this kind and text may answer. */
    matching(kind: ObservationKind, text: string | null): readonly StandingQuestion[] {
      const known = matchers.get(kind) ?? matcherOf([...questions.values()], kind);
      matchers.set(kind, known);
      return known(text);
    },
  };
}

type Matcher = (text: string | null) => readonly StandingQuestion[];

/**
 * Searches the text once for all keywords of all questions about one kind of observation. Measured with 10,000 setups and 200
 * posts a second: a signal is stored 1.1 s after its post at p99 (`npm run bench -- live-passes`).
 */
function matcherOf(all: readonly StandingQuestion[], kind: ObservationKind): Matcher {
  const asked = all.filter(({ arrivals }) => arrivals.includes(kind));
  const always = asked.filter(({ keywords }) => keywords === null);
  const byKeyword = grouped(
    asked.flatMap((question) => (question.keywords ?? []).map((keyword) => [keyword, question] as const)),
  );
  const find = keywordMatcher([...byKeyword.keys()]);
  return (text) => {
    const found = text === null || byKeyword.size === 0 ? [] : find(text);
    if (found.length === 0) return always;
    return [...new Set([...always, ...found.flatMap((keyword) => byKeyword.get(keyword) ?? [])])];
  };
}

/** The detector of a setup's template; each template is read once per call of this function. */
function templateDetectors(
  readModels: ReadModels,
): (document: StandingQuestionDocument) => Promise<Detector | null> {
  const known = new Map<number, Promise<Detector | null>>();
  const ofTemplate = async (templateId: number): Promise<Detector | null> => {
    const template = await readModels.get(signalTemplates, String(templateId));
    if (template === null || !template.content.scopes.includes('account_monitoring')) return null;
    return detectorOfTemplate(template.content.detector, template.content.fields);
  };
  return async ({ templateId }) => {
    if (templateId === null) return null;
    const detector = known.get(templateId) ?? ofTemplate(templateId);
    known.set(templateId, detector);
    return detector;
  };
}

function questionOf(
  { enabled, workspaceId, ownerKind, ownerId, agentType, personaId, parameters }: StandingQuestionDocument,
  ofTemplate: Detector | null,
): StandingQuestion | null {
  // The cap of D-05 applies to the posts of a whole day, which a live pass does not have.
  if (!enabled || parameters['max_posts_to_scrape'] !== undefined) return null;
  const row = agentType === null ? null : agentTypeOf(agentType);
  const pass = row?.pass(parameters) ?? null;
  const detector = ownerKind === 'setup' ? ofTemplate : pass && detectorNamed(pass.detector);
  if (detector === null || detector.arrivals.length === 0) return null;
  const isOfTop = pass?.audiences.includes('top_accounts') === true;
  const question = {
    workspaceId,
    source: { kind: ownerKind, id: ownerId },
    arrivals: detector.arrivals,
  } as const;
  const keywords = detector.needsKeyword === true ? textsIn(parameters['tracking_keywords']) : null;
  if (ownerKind === 'agent') return { ...question, keywords, about: isOfTop ? 'top_accounts' : 'anybody' };
  return personaId === null ? null : { ...question, keywords, about: { covered: personaId } };
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
