/** Observations for runs that are killed. */

export const daysBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * 24 * 60 * 60 * 1000).toISOString();

export const seenCompany = (handle: string, facts: object = {}): object => ({
  kind: 'company',
  ref: `c:${handle}`,
  handle,
  name: handle,
  ...facts,
});

/** A person who works at a company since 2024. */
export const seenPerson = (handle: string, company: string, facts: object = {}): object => ({
  kind: 'person',
  ref: `p:${handle}`,
  handle,
  first_name: handle,
  experiences: [{ title: 'CTO', company_ref: `c:${company}`, start_date: '2024-01', end_date: null }],
  ...facts,
});
