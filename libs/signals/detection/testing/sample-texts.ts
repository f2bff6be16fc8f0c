import type { ObservedJobPosting, ObservedPost } from '#network/network-source.port.js';
import type { Passage } from '#signals/detection/research/passage.js';

const MOMENT = '2026-01-03T09:00:00.000Z';

/** Facts that a spec sets; absent: an unknown author or company, and the ref as position. */
type Sample<Observed> = Partial<Observed> & { readonly ref: string };

export const samplePost = ({ ref, ...facts }: Sample<ObservedPost>): ObservedPost => ({
  position: ref,
  reading: null,
  ref,
  rev: 1,
  url: null,
  text: 'We love CRM',
  publishedAt: MOMENT,
  authorRef: null,
  author: null,
  commentCount: 0,
  reactionCount: 0,
  keywordsFound: [],
  ...facts,
});

export const samplePosting = ({ ref, ...facts }: Sample<ObservedJobPosting>): ObservedJobPosting => ({
  position: ref,
  reading: null,
  ref,
  rev: 1,
  title: 'CRM admin',
  description: null,
  location: null,
  url: `https://www.network.example/jobs/${ref}`,
  postedAt: MOMENT,
  windowAt: MOMENT,
  department: null,
  workplace: null,
  salary: null,
  companyRef: null,
  company: null,
  hiringManager: null,
  hiringManagerCompany: null,
  keywordsFound: [],
  ...facts,
});

/** A passage with this text. */
export const said = (text: string, facts: Partial<Passage> = {}): Passage => ({
  ref: 'post:1',
  date: MOMENT,
  url: null,
  title: null,
  text,
  reading: null,
  ...facts,
});
