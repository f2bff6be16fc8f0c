import fc from 'fast-check';
import { byCodePoints, inWindow, iso, type World } from './naive-world.js';
import { accountsOf, folded, isInCountry, isInMarket, texts, worth } from './naive-words.js';
import type { DetectorProof, KilledRun, NaiveFinding, NaiveLaunch, Observed } from './proof.js';
import { daysBefore, seenCompany } from './seen.js';
import { COMPANIES, companies, launchOf, maybe, networkOf, NOW, one, persona } from './random-network.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** D-19: companies of the market and covered ones; in a pass only the covered. */
function isLookedAt(company: Observed, launch: NaiveLaunch): boolean {
  const accounts = accountsOf(launch);
  if (accounts !== null) return accounts.includes(company.ref);
  if (launch.covered.includes(company.ref)) return true;
  return launch.persona !== null && isInMarket(company, launch.persona);
}

function finding(
  world: World,
  launch: NaiveLaunch,
  company: string,
  found: Pick<NaiveFinding, 'subject' | 'signalDate' | 'data'>,
): NaiveFinding {
  const about = { company, lead: null };
  return { ...found, signalType: 'deepSearch', ...about, ...worth(world, launch, about), author: null };
}

/** D-70: the same moment this many calendar months before, the day clamped to the month's end. */
function monthsBefore(date: string, months: number): number {
  const [year = 0, month = 0, day = 0] = date.slice(0, 10).split('-').map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  const clamped = new Date(Date.UTC(year, month - 1 - months, Math.min(day, last))).toISOString();
  return Date.parse(clamped.slice(0, 10) + date.slice(10));
}

/** One decimal, half away from zero. */
const rounded = (tenthsTimesEarlier: number, earlier: number): number => {
  const magnitude = Math.floor(Math.abs(tenthsTimesEarlier) / earlier);
  const isUp = (Math.abs(tenthsTimesEarlier) % earlier) * 2 >= earlier;
  return (Math.sign(tenthsTimesEarlier) * (magnitude + (isUp ? 1 : 0))) / 10;
};

/** D-70, D-71. */
function headcounts(world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const { growth_percent, decline_percent, over_months = 6, scope, department } = launch.parameters;
  const isGrowth = growth_percent !== undefined;
  const part = isGrowth && scope === 'department' ? String(department) : null;
  const months = Number(over_months);
  const series = (ref: string): readonly Observed[] =>
    inWindow(world.all('headcount'), 'observed_at', { ...launch, lookbackDays: 4_000 })
      .filter(({ company_ref, employees }) => company_ref === ref && typeof employees === 'number')
      .filter((seen) =>
        part === null ? seen.department === undefined : folded(seen.department ?? '') === folded(part),
      );
  const found = world
    .all('company')
    .flatMap((company): readonly (NaiveFinding & { readonly ref: string })[] => {
      if (!isLookedAt(company, launch)) return [];
      const all = series(company.ref);
      const later = inWindow(all, 'observed_at', launch).at(-1);
      if (later === undefined) return [];
      const moment = monthsBefore(iso(later.observed_at), months);
      const off = ({ observed_at }: Observed): number => Math.abs(Date.parse(observed_at) - moment);
      const [earlier] = all
        .filter((seen) => off(seen) <= 20 * DAY_MS)
        .sort((left, right) => off(left) - off(right));
      if (earlier === undefined || earlier.employees <= 0) return [];
      const change = later.employees - earlier.employees;
      const wanted = Number(isGrowth ? growth_percent : decline_percent);
      if ((isGrowth ? change : -change) * 1_000 < wanted * 10 * earlier.employees) return [];
      const name = isGrowth ? 'headcount_growth' : 'headcount_decline';
      const subject = (before: number): string => {
        const month = new Date(
          monthsBefore(`${iso(later.observed_at).slice(0, 7)}-01T00:00:00.000Z`, before),
        );
        return `${name}:${company.ref}:${part === null ? '*' : folded(part)}:${month.toISOString().slice(0, 7)}`;
      };
      for (let before = 1; before < months; before += 1)
        if ([before, -before].some((away) => launch.reported.includes(subject(away)))) return [];
      const percent = rounded(change * 1_000, earlier.employees);
      const shown = ({ employees, observed_at }: Observed) => ({ employees, observed_at: iso(observed_at) });
      const sign = isGrowth ? '+' : '-';
      return [
        {
          ...finding(world, launch, company.ref, {
            subject: subject(0),
            signalDate: iso(later.observed_at),
            data: {
              question: launch.templateKey,
              answer:
                `${sign}${Math.abs(percent)}% in ${months} months (${earlier.employees} to ${later.employees})` +
                (part === null ? '' : `, ${part}`),
              evidence: [],
              facts: {
                department: part,
                over_months: months,
                change_percent: percent,
                from: shown(earlier),
                to: shown(later),
              },
            },
          }),
          ref: later.ref,
        },
      ];
    });
  return found
    .sort(
      (left, right) =>
        Date.parse(left.signalDate ?? '') - Date.parse(right.signalDate ?? '') ||
        byCodePoints(left.ref, right.ref),
    )
    .map(({ ref: _, ...fields }) => fields);
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;
const joined = (parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null).join(', ') || null;
const evidenceOf = ({ url, extract }: Observed) =>
  textOf(url) === null && textOf(extract) === null ? [] : [{ url: textOf(url), extract: textOf(extract) }];

/** D-72: events of one kind about known companies. */
function events(
  world: World,
  launch: NaiveLaunch,
  event: string,
  reportOf: (fields: Observed) => { readonly answer: string | null; readonly facts: object } | null,
): readonly NaiveFinding[] {
  return inWindow(world.all('company_event'), 'occurred_at', launch)
    .filter((seen) => seen.event === event)
    .flatMap((seen) => {
      const company = world.known('company', seen.company_ref);
      const report = reportOf(seen.fields);
      if (company === null || report === null || !isLookedAt(company, launch)) return [];
      return [
        finding(world, launch, company.ref, {
          subject: `company_event:${seen.ref}`,
          signalDate: iso(seen.occurred_at),
          data: {
            question: launch.templateKey,
            answer: report.answer,
            evidence: evidenceOf(seen.fields),
            facts: { ...report.facts },
          },
        }),
      ];
    });
}

const newLocations = (world: World, launch: NaiveLaunch): readonly NaiveFinding[] =>
  events(world, launch, 'location_opened', (fields) => {
    const [city, region] = [textOf(fields.city), textOf(fields.region)];
    const [country, country_code] = [textOf(fields.country), textOf(fields.country_code)];
    if (!isInCountry({ country, country_code }, texts(launch.parameters['countries']))) return null;
    return { answer: joined([city, region, country]), facts: { city, region, country, country_code } };
  });

const ROUNDS: { readonly [written: string]: string } = {
  'Series A': 'series_a',
  'series-b': 'series_b',
  series_d: 'later',
  seed: 'seed',
};
/** Amounts of each currency that have the same value. */
const WORTH: { readonly [currency: string]: number } = { EUR: 100, USD: 110, GBP: 86 };

const fundings = (world: World, launch: NaiveLaunch): readonly NaiveFinding[] =>
  events(world, launch, 'funding', (fields) => {
    const round = ROUNDS[String(fields.round)] ?? null;
    const amount = typeof fields.amount === 'number' ? fields.amount : null;
    const currency = textOf(fields.currency);
    const rounds = texts(launch.parameters['rounds']);
    if (rounds.length > 0 && !rounds.includes(round ?? '?')) return null;
    const least = launch.parameters['min_amount'];
    if (least !== undefined) {
      const [own, wanted] = [WORTH[currency ?? '?'], WORTH[String(launch.parameters['currency'])] ?? NaN];
      if (amount === null || own === undefined || amount * wanted < Number(least) * own) return null;
    }
    const raised = amount === null ? null : currency === null ? `${amount}` : `${amount} ${currency}`;
    return { answer: joined([round, raised]), facts: { round, amount, currency } };
  });

/** D-73. */
function renewals(world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const today = Date.parse(launch.now.slice(0, 10));
  const daysLeft = ({ fields }: Observed): number => (Date.parse(fields.renewal_date) - today) / DAY_MS;
  return world
    .all('company_event')
    .filter(({ event, fields }) => event === 'renewal_due' && fields.workspace_id === launch.workspaceId)
    .filter((seen) => daysLeft(seen) >= 0 && daysLeft(seen) <= Number(launch.parameters['days_before']))
    .filter(
      ({ company_ref: ref }) => launch.listed?.companyRefs.includes(ref) && launch.covered.includes(ref),
    )
    .filter(({ company_ref: ref }) => world.known('company', ref) !== null)
    .sort((left, right) => daysLeft(left) - daysLeft(right) || byCodePoints(left.ref, right.ref))
    .map((seen) =>
      finding(world, launch, seen.company_ref, {
        subject: `renewal:${seen.company_ref}:${seen.fields.renewal_date}`,
        signalDate: launch.now,
        data: {
          question: launch.templateKey,
          answer: `${seen.fields.renewal_date}, in ${daysLeft(seen)} ${daysLeft(seen) === 1 ? 'day' : 'days'}`,
          evidence: evidenceOf(seen.fields),
          facts: {
            renewal_date: seen.fields.renewal_date,
            days_left: daysLeft(seen),
            contract: textOf(seen.fields.contract),
          },
        },
      }),
    );
}

type AnyParameters = fc.Arbitrary<NaiveLaunch['parameters']>;
const ofCompanies = (key: string, parameters: AnyParameters, own: Parameters<typeof launchOf>[0] = {}) =>
  launchOf({
    signalTypes: fc.constant(['deepSearch']),
    templateKey: fc.constant(key),
    persona,
    audiences: one(['market'], ['market'], ['covered_accounts']),
    covered: fc.subarray([...COMPANIES, 'c:nobody'], { minLength: 2 }),
    parameters,
    ...own,
  });
const reportedSubjects = (name: string) =>
  fc.subarray(
    ['2026-03', '2026-02', '2026-01', '2025-11', '2025-10', '2025-08'].flatMap((month) => [
      `${name}:c:acme:*:${month}`,
      `${name}:c:acme:sales:${month}`,
    ]),
    { maxLength: 2 },
  );
const headcountNetwork = networkOf({ company: 4, headcount: 20 });
const eventNetwork = networkOf({ company: 4, company_event: 8 });

const MARKET: NonNullable<KilledRun['launch']['persona']> = {
  personaId: 1,
  jobTitles: [],
  excludeJobTitles: [],
  locations: ['France'],
  seniorities: [],
  headcounts: [],
  industries: [],
};
const THREE = ['acme', 'globex', 'initech'] as const;

/** A run about three companies of a market, the second of which is covered. */
const killed = (
  title: string,
  templateKey: string,
  parameters: KilledRun['launch']['parameters'],
  observed: (handle: string, now: Date) => readonly object[],
  finds: readonly string[],
): KilledRun => ({
  title,
  observations: (now) =>
    THREE.flatMap((handle) => [
      seenCompany(handle, { locations: [{ country: 'France' }] }),
      ...observed(handle, now),
    ]),
  launch: { signalTypes: ['deepSearch'], audiences: ['market'], parameters, persona: MARKET, templateKey },
  covered: ['c:globex'],
  finds: [finds],
  pays: 2,
});
const headcountsOf =
  (before: number, after: number) =>
  (handle: string, now: Date): readonly object[] =>
    [before, after].map((employees, index) => ({
      kind: 'headcount',
      ref: `headcount:${handle}:${index}`,
      company_ref: `c:${handle}`,
      employees,
      observed_at: index === 0 ? '2025-08-25T00:00:00Z' : daysBefore(now, 4),
    }));
const eventOf =
  (event: string, fields: object) =>
  (handle: string, now: Date): readonly object[] => [
    {
      kind: 'company_event',
      ref: `event:${handle}`,
      company_ref: `c:${handle}`,
      event,
      occurred_at: daysBefore(now, 3),
      fields,
    },
  ];
const EVENTS = THREE.map((handle) => `company_event:event:${handle}`);

export const companySignalProofs: readonly DetectorProof[] = [
  {
    kind: 'headcount',
    random: {
      rules: 'D-11 D-19 D-70 D-71 growth',
      network: headcountNetwork,
      launch: ofCompanies(
        'headcount-growth',
        fc
          .record({
            growth_percent: one(0.5, 4.5, 5, 12.5, 20, 25),
            over_months: one(3, 6, 6, 12),
            scope: maybe(one('company', 'department')),
            department: one('Sales', 'sales', 'Engineering'),
          })
          .map(({ department, ...rest }) => (rest.scope === 'department' ? { ...rest, department } : rest)),
        { reported: reportedSubjects('headcount_growth') },
      ),
      reference: headcounts,
      numRuns: 40,
    },
    killed: killed(
      'growth of three companies',
      'headcount-growth',
      { growth_percent: 20, over_months: 6 },
      headcountsOf(100, 120),
      THREE.map((handle) => `headcount_growth:c:${handle}:*:2026-02`),
    ),
  },
  {
    kind: 'headcount',
    random: {
      rules: 'D-11 D-19 D-70 D-71 decline',
      network: headcountNetwork,
      launch: ofCompanies(
        'headcount-decline',
        fc.record({ decline_percent: one(0.5, 5, 12.5, 20), over_months: maybe(one(3, 6, 12)) }),
        { reported: reportedSubjects('headcount_decline') },
      ),
      reference: headcounts,
      numRuns: 40,
    },
    killed: killed(
      'decline of three companies',
      'headcount-decline',
      { decline_percent: 20 },
      headcountsOf(100, 80),
      THREE.map((handle) => `headcount_decline:c:${handle}:*:2026-02`),
    ),
  },
  {
    kind: 'new_location',
    random: {
      rules: 'D-19 D-21 D-72 new locations',
      network: eventNetwork,
      launch: ofCompanies(
        'new-location-opened',
        fc.record({ countries: one(['France'], ['DE', 'fr'], ['Japan', 'germany']) }),
      ),
      reference: newLocations,
    },
    killed: killed(
      'offices of three companies',
      'new-location-opened',
      { countries: ['FR'] },
      eventOf('location_opened', { city: 'Lyon', country_code: 'FR' }),
      EVENTS,
    ),
  },
  {
    kind: 'funding',
    random: {
      rules: 'D-11 D-19 D-72 funding',
      network: eventNetwork,
      launch: ofCompanies(
        'funding-announced',
        fc
          .record({
            rounds: maybe(one([], ['series_a', 'later'], ['seed', 'series_b'])),
            min_amount: maybe(one(0, 100, 110, 1_000)),
            currency: one('EUR', 'USD', 'GBP'),
          })
          .map(({ currency, ...rest }) => (rest.min_amount === undefined ? rest : { ...rest, currency })),
      ),
      reference: fundings,
    },
    killed: killed(
      'money of three companies',
      'funding-announced',
      { min_amount: 100, currency: 'EUR' },
      eventOf('funding', { amount: 110, currency: 'USD' }),
      EVENTS,
    ),
  },
  {
    kind: 'renewal',
    random: {
      rules: 'D-73',
      network: eventNetwork,
      launch: ofCompanies('customer-renewal-window', fc.record({ days_before: one(1, 30, 31, 365) }), {
        audiences: fc.constant(['list_members', 'covered_accounts']),
        listed: fc.record({ companyRefs: companies, personRefs: fc.constant([]) }),
        now: one(NOW, '2026-02-28T23:59:59.999Z', '2026-03-31T00:00:00.000Z'),
      }),
      reference: renewals,
    },
    killed: {
      title: 'contracts of listed companies that are covered',
      observations: () =>
        THREE.flatMap((handle, index) => [
          seenCompany(handle),
          // Renewals belong to one workspace, and each trial has its own workspace.
          ...Array.from({ length: 400 }, (_, workspace) => ({
            kind: 'company_event',
            ref: `event:${handle}:${workspace}`,
            company_ref: `c:${handle}`,
            event: 'renewal_due',
            fields: { renewal_date: `2026-03-0${index + 2}`, workspace_id: workspace + 1 },
          })),
        ]),
      launch: {
        signalTypes: ['deepSearch'],
        audiences: ['list_members', 'covered_accounts'],
        parameters: { days_before: 30 },
        persona: MARKET,
        templateKey: 'customer-renewal-window',
      },
      list: { type: 'customer', handles: ['acme', 'globex'] },
      covered: ['c:acme', 'c:globex', 'c:initech'],
      finds: [['renewal:c:acme:2026-03-02', 'renewal:c:globex:2026-03-03']],
      pays: 0,
    },
  },
];
