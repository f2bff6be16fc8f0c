import { firstCharacters } from '#kernel/values/first-characters.js';
import type { Candidate, CandidateContent } from '#signals/domain/runs/signal-run.events.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import { MAX_READINGS } from '#signals/domain/runs/signal-detected.event.js';
import type { UnreadRun } from './detector.js';
import type { Finding, SeenContent } from './finding.js';
import { boundedUrl, TEXT_LENGTH } from '#kernel/values/bounded-text.js';
import { employersOf, observedCompanyOf, observedPersonOf, placeOf } from '#identities/observed-facts.js';
import { ranking } from './ranking.js';
import { shortcutsOf } from './shortcuts.js';

/** A match before it gets its detection id. */
export type Match = Omit<Candidate, 'detectionId'>;

/** Makes matches of these findings. Facts about people and companies are looked up once for all findings. */
export async function matchesOf(
  run: UnreadRun,
  findings: readonly Finding[],
): Promise<(finding: Finding) => Match> {
  const rank = await ranking(run);
  const employers = await employersOf(
    run.directory,
    findings.map(({ lead }) => lead),
  );
  return (finding) => {
    const { subject, chargeKey = subject, signalType, signalDate, company, lead, data } = finding;
    const priority = rank.priorityOf(finding);
    const { sourceUrl, author, excerpt, details } = shortcutsOf(finding);
    return {
      subject,
      chargeKey,
      signalType,
      signalDate,
      sourceUrl,
      priority,
      // Only top-priority signals about accounts that are not covered are paid for (D-08).
      priced: priority === 1 && finding.free !== true && !rank.isCovered(company),
      contents: finding.contents.filter(({ captured, idIn }) => captured || idIn !== null).map(contentOf),
      company: company && observedCompanyOf(company),
      lead: lead && observedPersonOf(lead, employers),
      ...employerElsewhere(finding, employers),
      leadPlace: lead && placeOf(lead),
      data,
      author,
      excerpt,
      details,
      ...provenanceOf(finding),
    };
  };
}

/** Readings without duplicates; a finding without sources has none. */
function provenanceOf({ readings }: Finding): Pick<Match, 'provenance'> {
  const named = readings.filter((reading) => reading !== null);
  const distinct = new Map(named.map((reading) => [`${reading.sourceId} ${reading.readAtMs}`, reading]));
  const provenance = [...distinct.values()].slice(0, MAX_READINGS).map(({ sourceId, readAtMs }) => ({
    sourceId: Number(sourceId),
    readAt: new Date(readAtMs).toISOString(),
  }));
  return provenance.length === 0 ? {} : { provenance };
}

/** A lead's company is the current employer, even if the detection is about another company (D-34). */
function employerElsewhere(
  { lead, company }: Finding,
  employers: ReadonlyMap<string, CompanyFacts>,
): Pick<Match, 'employer'> {
  const employerRef = lead?.current?.companyRef ?? null;
  if (lead === null || (company !== null && company.ref === employerRef)) return {};
  const employer = employerRef === null ? undefined : employers.get(employerRef);
  return { employer: employer === undefined ? null : observedCompanyOf(employer) };
}

function contentOf({ ref, type, captured, idIn, ...seen }: SeenContent): CandidateContent {
  if (!captured) return { ref, type, facts: null, idIn };
  return {
    ref,
    type,
    facts: {
      url: boundedUrl(seen.url),
      text: seen.text === null ? null : firstCharacters(seen.text, TEXT_LENGTH),
      published_at: seen.publishedAt,
      author: seen.author,
      reaction_count: seen.reactionCount,
      comment_count: seen.commentCount,
    },
    idIn,
  };
}
