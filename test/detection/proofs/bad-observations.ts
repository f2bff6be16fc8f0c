import type { Observed } from './proof.js';
import { NOW } from './random-network.js';

const LONG = `CRM ${'x'.repeat(70_000)}`;
const bad = (kind: string, name: string, facts: object = {}): Observed => ({
  kind,
  ref: `${kind}:bad-${name}`,
  rev: 1,
  ...facts,
});
const at = new Date(Date.parse(NOW) - 3_600_000).toISOString();

/** Erroneous observations: without author, in circles, too long, too many, of the wrong type. */
export const BAD_OBSERVATIONS: readonly Observed[] = [
  bad('post', 'by-nobody', { text: 'CRM', published_at: at }),
  bad('post', 'by-stranger', { text: 'CRM', author_ref: 'p:bad-stranger', published_at: at }),
  bad('post', 'long', { text: LONG, author_ref: 'p:ana', published_at: at }),
  bad('post', 'undated', { text: 'CRM', author_ref: 'p:ana' }),
  ...['1', '2', '3'].map((name) =>
    bad('comment', name, {
      post_ref: `comment:bad-${(Number(name) % 3) + 1}`,
      author_ref: 'p:ana',
      text: LONG,
      published_at: at,
    }),
  ),
  bad('comment', 'of-itself', { post_ref: 'comment:bad-of-itself', author_ref: 'p:ana', published_at: at }),
  bad('comment', 'on-nothing', { author_ref: 'p:ana', text: 'CRM', published_at: at }),
  bad('comment', 'by-nobody', { post_ref: 'post:1', text: 'CRM', published_at: at }),
  ...Array.from({ length: 10_000 }, (_, index) =>
    bad('comment', `many-${index}`, {
      post_ref: 'post:bad-by-stranger',
      author_ref: 'p:ana',
      text: 'CRM',
      published_at: at,
    }),
  ),
  bad('reaction', 'by-nobody', { post_ref: 'post:1', reacted_at: at }),
  bad('reaction', 'on-itself', { post_ref: 'reaction:bad-on-itself', author_ref: 'p:ana', reacted_at: at }),
  bad('job_posting', 'of-nobody', { title: 'CRM', description: LONG, posted_at: at }),
  bad('job_posting', 'of-stranger', { title: 'CRM', company_ref: 'c:bad-stranger', posted_at: at }),
  bad('headcount', 'of-nobody', { employees: 900, observed_at: at }),
  bad('headcount', 'of-none', { company_ref: 'c:acme', observed_at: at }),
  bad('headcount', 'undated', { company_ref: 'c:acme', employees: 9_000_000_000 }),
  bad('company_event', 'of-nobody', {
    event: 'funding',
    occurred_at: at,
    fields: { amount: 100, currency: 'EUR' },
  }),
  bad('company_event', 'empty', { event: 'renewal_due', company_ref: 'c:acme', fields: {} }),
  bad('company_event', 'odd', {
    event: 'renewal_due',
    company_ref: 'c:acme',
    fields: { renewal_date: 'soon', workspace_id: [1] },
  }),
  bad('person', 'careers', {
    handle: 'bad-careers',
    observed_at: at,
    experiences: Array.from({ length: 500 }, (_, index) => ({
      title: 'VP Sales',
      company_ref: index % 2 === 0 ? 'c:acme' : 'c:globex',
      start_date: String(1500 + index),
      end_date: index % 3 === 0 ? null : String(1501 + index),
    })),
  }),
];
