import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import type { Finding } from './finding.js';
import { matchesOf } from './matches.js';
import { sampleCompany, samplePerson, samplePersona, sampleRun } from './testing/sample-run.js';

const persona = samplePersona();
const gardener = samplePerson({ ref: 'p:cy', title: 'Gardener', companyRef: 'c:acme' });
const acme = sampleCompany({ ref: 'c:acme' });

const found = (
  lead: PersonFacts | null,
  company: CompanyFacts | null,
  more: Partial<Finding> = {},
): Finding => ({
  subject: 'post:1',
  signalType: 'keywordDetection',
  signalDate: null,
  data: {},
  company,
  lead,
  contents: [],
  readings: [],
  ...more,
});

async function ranked(finding: Finding, run: Parameters<typeof sampleRun>[0] = {}): Promise<unknown> {
  const { priority, priced, chargeKey } = (await matchesOf(sampleRun({ persona, ...run }), [finding]))(
    finding,
  );
  return { priority, priced, chargeKey };
}
const FREE = { priority: 2, priced: false, chargeKey: 'post:1' };
const PAID = { priority: 1, priced: true, chargeKey: 'post:1' };

describe('the priority and the price of a finding', () => {
  it('D-09 is second priority and free for a lead who does not match the persona', async () => {
    expect(await ranked(found(gardener, acme))).toEqual(FREE);
    expect(await ranked(found(null, acme))).toEqual(PAID);
    expect(await ranked(found(gardener, acme), { persona: null })).toEqual(PAID);
    const seller = samplePerson({ ref: 'p:ana', title: 'VP Sales', companyRef: 'c:acme', country: 'France' });
    expect(await ranked(found(seller, acme))).toEqual(PAID);
  });

  it('D-08 D-16 is first priority and free about a covered account', async () => {
    const watched = { covered: async () => new Set(['c:acme']) };
    expect(await ranked(found(gardener, acme), { watched })).toEqual({ ...PAID, priced: false });
    expect(await ranked(found(gardener, sampleCompany({ ref: 'c:other' })), { watched })).toEqual(FREE);
    // D-10: no account is covered.
    expect(await ranked(found(null, null), { watched })).toEqual(PAID);
  });

  it('D-09 is first priority for members of the list, their people, and people who left a member', async () => {
    const listing = (companyRefs: string[], personRefs: string[] = []) => ({
      watched: { members: async () => ({ companyRefs, personRefs }) },
    });
    expect(await ranked(found(gardener, acme), listing(['c:acme']))).toEqual(PAID);
    expect(await ranked(found(gardener, acme), listing([], ['p:cy']))).toEqual(PAID);
    const left = sampleCompany({ ref: 'c:left' });
    expect(await ranked(found(gardener, left), listing(['c:left']))).toEqual(FREE);
    const departure = found(gardener, left, { data: { change: 'departure' } });
    expect(await ranked(departure, listing(['c:left']))).toEqual(PAID);
  });

  it('D-07 D-44 is paid for by the charge key in the finding, unless it is free', async () => {
    const shared = found(null, acme, { chargeKey: 'lead:p:cy' });
    expect(await ranked(shared)).toEqual({ ...PAID, chargeKey: 'lead:p:cy' });
    expect(await ranked({ ...shared, free: true })).toMatchObject({ priority: 1, priced: false });
  });
});

describe('a match', () => {
  it('D-34 names the employer of a lead who works elsewhere', async () => {
    const companies = async () => new Map([['c:acme', acme]]);
    const run = sampleRun({ directory: { companies } });
    const matchOf = async (finding: Finding) => (await matchesOf(run, [finding]))(finding);
    const employer = expect.objectContaining({ identity: 'handle:acme' });
    const other = sampleCompany({ ref: 'c:other' });
    expect(await matchOf(found(gardener, other))).toMatchObject({ employer });
    expect(Object.keys(await matchOf(found(gardener, acme)))).not.toContain('employer');
    const jobless = samplePerson({ ref: 'p:di', title: null, companyRef: null });
    expect(await matchOf(found(jobless, other))).toMatchObject({ employer: null });
  });

  it('captures the contents of the finding, cut, and only names the others', async () => {
    const text = 'é'.repeat(3_000);
    const seen = { url: null, publishedAt: null, author: null, reactionCount: null, commentCount: null };
    const contents = [
      { ...seen, ref: 'comment:1', type: 'comment', text, captured: true, idIn: 'interaction' },
      { ...seen, ref: 'post:1', type: 'post', text, captured: false, idIn: 'post' },
      { ...seen, ref: 'post:2', type: 'post', text, captured: false, idIn: null },
    ] as const;
    const finding = found(null, acme, { contents });
    const match = (await matchesOf(sampleRun(), [finding]))(finding);
    expect(match.contents).toEqual([
      expect.objectContaining({
        ref: 'comment:1',
        idIn: 'interaction',
        facts: expect.objectContaining({ text: 'é'.repeat(2_000) }),
      }),
      { ref: 'post:1', type: 'post', facts: null, idIn: 'post' },
    ]);
  });
});
