import { readObservation } from '#network/read-observation.js';
import { MalformedAnswer } from '../answer-fields.js';
import { whole } from '../pieces.js';
import { readSource } from '../read-source.js';
import type { SeenLine, SourceReading } from '../source-kind.js';
import { readingWith, sampleAnswer, sampleSource } from '../testing/answers.js';
import { formD } from './form-d.js';

const CIK = '0001234567';
const of = sampleSource(CIK, `https://www.sec.gov/cgi-bin/browse-edgar?CIK=${CIK}`);
type Filing = { readonly accession: string; readonly on: string; readonly type?: string };
const [first, amendment, second] = [
  '0001234567-26-000001',
  '0001234567-26-000002',
  '0001234567-26-000003',
] as const;

const list = (...filings: readonly Filing[]): string =>
  `<?xml version="1.0" encoding="ISO-8859-1" ?><feed xmlns="http://www.w3.org/2005/Atom">${filings
    .map(
      ({ accession, on, type = 'D' }) => `<entry><category label="form type" term="${type}" />
      <content type="text/xml"><accession-number>${accession}</accession-number><filing-date>${on}</filing-date>
      <filing-type>${type}</filing-type></content><id>urn:tag:sec.gov,2008:accession-number=${accession}</id></entry>`,
    )
    .join('')}</feed>`;
const notice = (sold: string, offered: string, amends?: string): string =>
  `<?xml version="1.0"?><edgarSubmission><submissionType>D</submissionType><primaryIssuer><cik>${CIK}</cik>
  <entityName>ACME &amp; CO</entityName></primaryIssuer><offeringData><typeOfFiling><newOrAmendment>
  <isAmendment>${amends !== undefined}</isAmendment>${amends === undefined ? '' : `<previousAccessionNumber>${amends}</previousAccessionNumber>`}
  </newOrAmendment><dateOfFirstSale><value>2026-01-20</value></dateOfFirstSale></typeOfFiling><offeringSalesAmounts>
  <totalOfferingAmount>${offered}</totalOfferingAmount><totalAmountSold>${sold}</totalAmountSold></offeringSalesAmounts>
  </offeringData></edgarSubmission>`;
const documentOf = (accession: string): string =>
  `https://www.sec.gov/Archives/edgar/data/1234567/${accession.replaceAll('-', '')}/primary_doc.xml`;

async function reading(
  filings: readonly Filing[],
  notices: Readonly<Record<string, string | null>>,
  known: readonly string[] = [],
  now = '2026-06-01',
): Promise<{ readonly read: SourceReading; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const by = readingWith(async (url) => {
    asked.push(url);
    const accession = Object.keys(notices).find((one) => url === documentOf(one));
    const body = url.includes('browse-edgar') ? list(...filings) : notices[accession ?? ''];
    return sampleAnswer(url, body, {
      validators: { etag: '"list"', lastModified: null },
      sentAtMs: asked.length,
    });
  });
  const read = await readSource(formD, of, { ...by, known, nowMs: () => Date.parse(now) });
  return { read, asked };
}

const seenIn = async (read: SourceReading): Promise<readonly SeenLine[]> =>
  read.outcome === 'read' ? (await whole(read.lines)).items : [];

describe('notices of Form D', () => {
  it('belong to one company, by its number in the register', () => {
    const at = (address: string) => formD.boardAt(new URL(address));
    expect(at('https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=1234567&type=D')).toBe(CIK);
    expect(at('https://www.sec.gov/Archives/edgar/data/1234567/000123456726000001/')).toBe(CIK);
    expect(at('https://www.sec.gov/edgar/search/')).toBeNull();
  });

  it('are funding events: the sold amount, dated by the filing, with the first sale as a fact', async () => {
    const { read } = await reading([{ accession: first, on: '2026-02-01' }], {
      [first]: notice('5,000,000', 'Indefinite'),
    });
    expect(read).toMatchObject({ outcome: 'read', items: 1, known: [`${first}=${first}`] });
    const [seen] = await seenIn(read);
    const { observation, notes } = readObservation(seen?.line, 9);
    expect(notes).toEqual([]);
    expect(observation).toMatchObject({
      kind: 'company_event',
      ref: `form-d:${CIK}:${first}`,
      companyRef: 'c:acme',
      event: 'funding',
      occurredAt: '2026-02-01T00:00:00.000Z',
      fields: { amount: 5_000_000, currency: 'USD', first_sale: '2026-01-20', issuer: 'ACME & CO' },
    });
  });

  it('SRC-03 an amendment is a later revision of the notice that it amends', async () => {
    const filings = [
      { accession: second, on: '2026-04-01', type: 'D/A' },
      { accession: amendment, on: '2026-03-01', type: 'D/A' },
      { accession: first, on: '2026-02-01' },
      { accession: '0001234567-26-000009', on: '2026-01-01', type: 'DEF 14A' },
    ];
    const notices = {
      [first]: notice('1', '9'),
      [amendment]: notice('2', '9', first),
      [second]: notice('3', '9', amendment),
    };
    const { read } = await reading(filings, notices);
    const lines = (await seenIn(read)).map(({ line }) => line);
    expect(lines.map(({ ref, fields }) => [ref, (fields as { amount: number }).amount])).toEqual(
      [1, 2, 3].map((amount) => [`form-d:${CIK}:${first}`, amount]),
    );
  });

  it('SRC-03 an amendment waits while an earlier notice is missing: it may amend it, and be a second event or an earlier revision', async () => {
    const filings = [
      { accession: '0001234567-26-000004', on: '2026-04-04' },
      { accession: second, on: '2026-04-03', type: 'D/A' },
      { accession: amendment, on: '2026-04-02', type: 'D/A' },
      { accession: first, on: '2026-02-01' },
    ];
    const notices = {
      [first]: notice('1', '9'),
      [amendment]: null,
      [second]: notice('3', '9', amendment),
      '0001234567-26-000004': notice('4', '9'),
    };
    const early = await reading(filings, notices, [`${first}=${first}`], '2026-04-05');
    expect(early.read).toMatchObject({
      outcome: 'read',
      known: [`${first}=${first}`, '0001234567-26-000004=0001234567-26-000004'],
      validators: { etag: null },
    });
    expect((await seenIn(early.read)).map(({ line }) => line.ref)).toEqual([
      `form-d:${CIK}:0001234567-26-000004`,
    ]);
    const { read } = await reading(
      filings,
      { ...notices, [amendment]: notice('2', '9', first) },
      early.read.outcome === 'read' ? early.read.known : [],
      '2026-04-06',
    );
    expect((await seenIn(read)).map(({ line }) => line.ref)).toEqual(
      Array.from({ length: 2 }, () => `form-d:${CIK}:${first}`),
    );
  });

  it('are requested once', async () => {
    const filings = [
      { accession: amendment, on: '2026-03-01', type: 'D/A' },
      { accession: first, on: '2026-02-01' },
    ];
    const { read, asked } = await reading(filings, { [amendment]: notice('2', '9', first) }, [
      `${first}=${first}`,
    ]);
    expect(asked).toHaveLength(2);
    expect(read).toMatchObject({ outcome: 'read', items: 2 });
    expect(await seenIn(read)).toMatchObject([{ line: { ref: `form-d:${CIK}:${first}` } }]);
  });

  it('a missing notice is requested again while it is new: old ones were filed on paper', async () => {
    const filings = [{ accession: first, on: '2026-02-01' }];
    const fresh = await reading(filings, { [first]: null }, [], '2026-02-03');
    expect(fresh.read).toMatchObject({ outcome: 'read', known: [], validators: { etag: null } });
    const old = await reading(filings, { [first]: null }, [], '2026-06-01');
    expect(old.read).toMatchObject({
      outcome: 'read',
      known: [`${first}=${first}`],
      validators: { etag: '"list"' },
    });
  });

  it('SRC-06 are an incomplete reading if one notice cannot be read', async () => {
    const { read } = await reading([{ accession: first, on: '2026-02-01' }], {});
    expect(read).toMatchObject({ outcome: 'failed', why: `notice ${first} was not read` });
  });

  it('fail if the answer has another form', () => {
    for (const body of ['', '<html></html>', '<a/>', '<edgarSubmission></edgarSubmission>', '{}'])
      expect(() => [body, formD.parse(body, of)]).toThrow(MalformedAnswer);
  });
});
