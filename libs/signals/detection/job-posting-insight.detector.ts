import { Type, type Static } from '#kernel/values/schema.js';
import { eachItem } from '#network/each-item.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type { JobPostingWindow, ObservedJobPosting } from '#network/network-source.port.js';
import { capturedPosting } from './contents.js';
import { detector, type DetectorRun, type Findings } from './detector.js';
import type { FindingOf } from './finding.js';
import { monthOf, monthsAround } from './headcount-change.js';
import { momentsOfPostings, progressOf, type CompanyAt } from './job-postings/moments.js';
import { topicMatcher, type TopicMatcher } from './job-postings/topic.js';
import { bounded, boundedUrl } from '#kernel/values/bounded-text.js';
import { windowOf } from './window.js';
import { companySubjects } from './company-subjects.js';
import { reportedRefsOf } from '#network/resolution.js';

/** A continuing wave is reported again only after this many months. */
const QUIET_MONTHS = 5;
const POSTINGS_SHOWN = 20;

const Parameters = Type.Object({
  topic: Type.String(),
  min_postings: Type.Optional(Type.Integer()),
});
type Run = DetectorRun<Static<typeof Parameters>>;

/** Companies with several job postings about one topic (D-36, D-37), in order of the newest posting. */
export const jobPostingInsightDetector = detector({
  kind: 'job_posting_insight',
  signalTypes: ['jobPostingInsight'],
  directions: ['single'],
  audiences: ['network', 'covered_accounts'],
  arrivals: [],
  templates: [{ kind: 'job_posting', signalTypes: ['jobPostingInsight'] }],
  parameters: Parameters,
  async search(run) {
    const topic = topicMatcher(run.parameters.topic);
    if (topic.keywords.length === 0) return null;
    const companyRefs = await run.watched.accounts();
    const window = { ...windowOf(run), ...(companyRefs === null ? {} : { companyRefs }) };
    return {
      read: (resume, limit) => momentsOfPostings(run.source, { ...window, topic, limit }, progressOf(resume)),
      async judge(items: readonly CompanyAt[]): Promise<Findings> {
        const waves = await wavesOf(run, topic, window, [
          ...new Set(items.map(({ company }) => company.ref)),
        ]);
        return Promise.all(
          items.map(async ({ company, windowAt }) => {
            const wave = waves.get(company.ref);
            // A company is reported at its newest posting; its older postings give no finding.
            if (wave === undefined || wave.newest.windowAt !== windowAt) return [];
            const finding = await findingOf(run, company, wave);
            return finding === null ? [] : [finding];
          }),
        );
      },
    };
  },
});

/** The postings of one company about the topic. */
type Wave = {
  readonly count: number;
  readonly newest: ObservedJobPosting;
  /** The newest of them, oldest first. */
  readonly shown: readonly ObservedJobPosting[];
};

async function wavesOf(
  { source }: Run,
  { keywords, isSupportedBy }: TopicMatcher,
  window: JobPostingWindow,
  companyRefs: readonly string[],
): Promise<ReadonlyMap<string, Wave>> {
  const waves = new Map<string, Wave>();
  if (companyRefs.length === 0) return waves;
  const search = { ...window, companyRefs, keywords };
  for await (const posting of eachItem((paging) => source.jobPostings({ ...search, ...paging }))) {
    const { companyRef } = posting;
    if (companyRef === null || !isSupportedBy(posting)) continue;
    const { count = 0, shown = [] } = waves.get(companyRef) ?? {};
    waves.set(companyRef, {
      count: count + 1,
      newest: posting,
      shown: [...shown, posting].slice(-POSTINGS_SHOWN),
    });
  }
  return waves;
}

async function findingOf(
  { parameters: { topic, min_postings = 2 }, known }: Run,
  company: CompanyFacts,
  { count, newest, shown }: Wave,
): Promise<FindingOf<'jobPostingInsight'> | null> {
  if (count < min_postings) return null;
  const subjectIn =
    (month: string) =>
    (ref: string): string =>
      `insight:${ref}:${month}`;
  const month = monthOf(newest.postedAt);
  // It may have been reported in a later month: its newest posting was closed or changed since, or a posting with an older
  // date was shown late.
  const nearSubjects = monthsAround(month, QUIET_MONTHS).flatMap((near) =>
    reportedRefsOf(company).map(subjectIn(near)),
  );
  if ((await known(nearSubjects)).size > 0) return null;
  return {
    ...companySubjects(company, subjectIn(month)),
    signalType: 'jobPostingInsight',
    signalDate: newest.postedAt,
    company,
    lead: null,
    contents: [capturedPosting(newest)],
    readings: shown.toReversed().map(({ reading }) => reading),
    data: {
      topic,
      job_postings: shown
        .toReversed()
        .map(({ title, url }) => ({ title: bounded(title), url: boundedUrl(url) })),
      summary: `${count} postings of ${bounded(company.name) ?? 'a company'} are about ${topic}`,
    },
  };
}
