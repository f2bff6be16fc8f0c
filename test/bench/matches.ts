type Facts = { readonly [member: string]: unknown };

/** A person at a company and a post of this text, which each run finds once; `more` adds to their facts. */
export function matchOf(
  index: number,
  now: Date,
  text: string,
  more: { readonly company?: Facts; readonly experiences?: readonly object[]; readonly post?: Facts } = {},
): readonly object[] {
  const employer = { company_ref: `c:${index}`, company_name: `Company ${index}` };
  const times = { start_date: '2024-03', end_date: null, department: 'sales', seniority: 'vp' };
  return [
    {
      kind: 'company',
      ref: `c:${index}`,
      handle: `company-${index}`,
      name: `Company ${index}`,
      domains: [`company-${index}.example`],
      ...more.company,
    },
    {
      kind: 'person',
      ref: `p:${index}`,
      handle: `person-${index}`,
      first_name: 'Ana',
      last_name: `Roy ${index}`,
      headline: 'VP Sales',
      geo: { city: 'Paris', country: 'France' },
      experiences: [
        { title: 'VP Sales', ...employer, ...times },
        ...(more.experiences ?? []).map((experience) => ({ ...employer, ...experience })),
      ],
    },
    {
      kind: 'post',
      ref: `post:${index}`,
      author_ref: `p:${index}`,
      text,
      published_at: new Date(now.getTime() - (index + 1) * 60_000).toISOString(),
      ...more.post,
    },
  ];
}
