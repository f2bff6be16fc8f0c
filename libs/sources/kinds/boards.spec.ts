import { readObservation } from '#network/read-observation.js';
import { MalformedAnswer } from '../answer-fields.js';
import type { BoardKind, SeenPosting } from '../board-kind.js';
import { postingLine } from '../posting-line.js';
import { ashby } from './ashby.js';
import { greenhouse } from './greenhouse.js';
import { lever } from './lever.js';
import { personio } from './personio.js';
import { recruitee } from './recruitee.js';
import { teamtailor } from './teamtailor.js';

/** A documented answer of each provider, and its posting. */
type Sample = {
  readonly kind: BoardKind;
  readonly boardId: string;
  readonly address: string;
  /** Addresses that an operator may paste. */
  readonly pasted: readonly string[];
  readonly answer: string;
  readonly posting: SeenPosting;
  /** Answers that differ from the documented form. */
  readonly malformed: readonly string[];
};

const greenhouseJob = {
  id: 4_400_123,
  internal_job_id: 77,
  title: 'CRM Engineer',
  first_published: '2026-02-01T09:00:00-05:00',
  updated_at: '2026-02-20T09:00:00-05:00',
  location: { name: 'Berlin, Germany' },
  departments: [{ id: 5, name: 'Engineering' }],
  offices: [],
  absolute_url: 'https://boards.greenhouse.io/acme/jobs/4400123',
  content: '&lt;p&gt;Build &lt;b&gt;CRM&lt;/b&gt;&lt;/p&gt;',
};
const leverPosting = {
  id: 'a1b2',
  text: 'CRM Engineer',
  categories: {
    location: 'Berlin',
    team: 'Core',
    department: 'Engineering',
    allLocations: ['Berlin', 'Paris'],
  },
  description: '<div>Build CRM</div>',
  descriptionPlain: 'Build CRM',
  lists: [{ text: 'You & we', content: '<li>know SQL</li>' }],
  additionalPlain: 'Come\nsoon',
  hostedUrl: 'https://jobs.lever.co/acme/a1b2',
  workplaceType: 'on-site',
  salaryRange: { currency: 'EUR', interval: 'per-year-salary', min: 50_000, max: 60_000 },
  createdAt: 1_769_954_400_000,
};
const ashbyJob = {
  id: 'c3d4',
  title: 'CRM Engineer',
  department: 'Engineering',
  team: 'Core',
  location: 'Berlin',
  secondaryLocations: [{ location: 'Paris' }, { location: 'Berlin' }],
  publishedAt: '2026-02-01T14:00:00.000+00:00',
  isListed: true,
  isRemote: true,
  descriptionHtml: '<p>Build CRM</p>',
  jobUrl: 'https://jobs.ashbyhq.com/Acme%20Labs/c3d4',
  compensation: {
    summaryComponents: [
      { compensationType: 'EquityPercentage', minValue: 0.1, maxValue: 0.2 },
      {
        compensationType: 'Salary',
        interval: '1 YEAR',
        currencyCode: 'EUR',
        minValue: 50_000,
        maxValue: 60_000,
      },
    ],
  },
};
const recruiteeOffer = {
  id: 99,
  title: 'CRM Engineer',
  status: 'published',
  careers_url: 'https://acme.recruitee.com/o/crm-engineer',
  description: '<p>Build CRM</p>',
  requirements: '<p>Know SQL</p>',
  department: 'Engineering',
  locations: [{ city: 'Berlin', country: 'Germany' }],
  remote: false,
  hybrid: true,
  on_site: false,
  salary: { min: '50000', max: 60_000, currency: 'EUR', period: 'year' },
  published_at: '2026-02-01 14:00:00 UTC',
};
const personioXml = `<?xml version="1.0" encoding="UTF-8"?><workzag-jobs><position><id>1234</id><office>Berlin</office>
<additionalOffices><office>Paris</office></additionalOffices><department>Engineering</department>
<name>CRM &amp; Data Engineer</name><jobDescriptions><jobDescription><name>Your role</name>
<value><![CDATA[<p>Build CRM</p>]]></value></jobDescription></jobDescriptions><employmentType>permanent</employmentType>
<createdAt>2026-02-01T14:00:00+00:00</createdAt></position></workzag-jobs>`;
const teamtailorXml = `<?xml version="1.0"?><rss version="2.0" xmlns:tt="https://teamtailor.com/locations"><channel>
<title>Acme</title><item><title>CRM Engineer</title><description>&lt;p&gt;Build CRM&lt;/p&gt;</description>
<pubDate>Sun, 01 Feb 2026 15:00:00 +0100</pubDate><link>https://acme.teamtailor.com/jobs/55-crm</link>
<remoteStatus>fully</remoteStatus><guid>5f5f</guid><tt:locations><tt:location><tt:name>HQ</tt:name>
<tt:city>Oslo</tt:city><tt:country>Norway</tt:country></tt:location></tt:locations>
<tt:department>Engineering</tt:department></item></channel></rss>`;

const common = {
  title: 'CRM Engineer',
  postedAt: '2026-02-01T14:00:00.000Z',
  department: 'Engineering',
} as const;
const yearly = { currency: 'EUR', min: 50_000, max: 60_000, interval: 'year' } as const;
const noJson = [
  '',
  'nope',
  '<html></html>',
  'null',
  '[]',
  '{"jobs":{}}',
  '{"jobs":[7]}',
  '{"message":"busy"}',
];
const noXml = ['', 'nope', '<!DOCTYPE html><html></html>', '<html><body/></html>', '<rss', '{"jobs":[]}'];

const samples: readonly Sample[] = [
  {
    kind: greenhouse,
    boardId: 'acme',
    address: 'https://boards-api.greenhouse.io/v1/boards/acme/jobs?content=true',
    pasted: [
      'https://boards.greenhouse.io/Acme',
      'https://job-boards.greenhouse.io/acme/jobs/4400123',
      'https://boards.greenhouse.io/embed/job_board?for=acme',
      'https://boards-api.greenhouse.io/v1/boards/acme/jobs',
    ],
    answer: JSON.stringify({ jobs: [greenhouseJob], meta: { total: 1 } }),
    posting: {
      ...common,
      id: '4400123',
      url: greenhouseJob.absolute_url,
      html: ['&lt;p&gt;Build &lt;b&gt;CRM&lt;/b&gt;&lt;/p&gt;'],
      location: 'Berlin, Germany',
      workplace: null,
      salary: null,
    },
    malformed: [
      ...noJson,
      JSON.stringify({ jobs: [{ ...greenhouseJob, absolute_url: undefined }] }),
      JSON.stringify({ jobs: [{ ...greenhouseJob, id: null }] }),
    ],
  },
  {
    kind: lever,
    boardId: 'acme',
    address: 'https://api.lever.co/v0/postings/acme?mode=json&skip=0&limit=100',
    pasted: [
      'https://jobs.lever.co/acme',
      'https://jobs.lever.co/acme/a1b2',
      'https://api.lever.co/v0/postings/acme?mode=json',
    ],
    answer: JSON.stringify([leverPosting]),
    posting: {
      ...common,
      id: 'a1b2',
      url: leverPosting.hostedUrl,
      html: ['<div>Build CRM</div>', 'You &amp; we', '<ul><li>know SQL</li></ul>', 'Come<br>soon'],
      location: 'Berlin; Paris',
      workplace: 'on_site',
      salary: yearly,
    },
    malformed: [
      ...noJson.filter((body) => body !== '[]'),
      JSON.stringify([{ ...leverPosting, hostedUrl: 'javascript:alert(1)' }]),
      JSON.stringify([{ ...leverPosting, id: {} }]),
    ],
  },
  {
    kind: ashby,
    boardId: 'Acme Labs',
    address: 'https://api.ashbyhq.com/posting-api/job-board/Acme%20Labs?includeCompensation=true',
    pasted: [
      'https://jobs.ashbyhq.com/Acme%20Labs',
      'https://api.ashbyhq.com/posting-api/job-board/Acme%20Labs',
    ],
    answer: JSON.stringify({
      apiVersion: '1',
      jobs: [ashbyJob, { ...ashbyJob, id: 'hidden', isListed: false }],
    }),
    posting: {
      ...common,
      id: 'c3d4',
      url: ashbyJob.jobUrl,
      html: ['<p>Build CRM</p>'],
      location: 'Berlin; Paris',
      workplace: 'remote',
      salary: yearly,
    },
    malformed: [...noJson, JSON.stringify({ jobs: [{ ...ashbyJob, jobUrl: '' }] })],
  },
  {
    kind: recruitee,
    boardId: 'acme',
    address: 'https://acme.recruitee.com/api/offers',
    pasted: ['https://acme.recruitee.com/', 'https://acme.recruitee.com/o/crm-engineer'],
    answer: JSON.stringify({ offers: [recruiteeOffer, { ...recruiteeOffer, id: 5, status: 'closed' }] }),
    posting: {
      ...common,
      id: '99',
      url: recruiteeOffer.careers_url,
      html: ['<p>Build CRM</p>', '<p>Know SQL</p>'],
      location: 'Berlin, Germany',
      workplace: 'hybrid',
      salary: yearly,
    },
    malformed: [...noJson, JSON.stringify({ offers: [{ ...recruiteeOffer, careers_url: null }] })],
  },
  {
    kind: personio,
    boardId: 'acme.de',
    address: 'https://acme.jobs.personio.de/xml?language=en',
    pasted: ['https://acme.jobs.personio.de/', 'https://acme.jobs.personio.de/job/1234?language=de'],
    answer: personioXml,
    posting: {
      ...common,
      title: 'CRM & Data Engineer',
      id: '1234',
      url: 'https://acme.jobs.personio.de/job/1234',
      html: ['Your role', '<p>Build CRM</p>'],
      location: 'Berlin; Paris',
      workplace: null,
      salary: null,
    },
    malformed: [...noXml, personioXml.replace('<id>1234</id>', '')],
  },
  {
    kind: teamtailor,
    boardId: 'acme.teamtailor.com',
    address: 'https://acme.teamtailor.com/jobs.rss?offset=0&per_page=100',
    pasted: ['https://acme.teamtailor.com/jobs', 'https://acme.teamtailor.com/jobs.rss'],
    answer: teamtailorXml,
    posting: {
      ...common,
      id: '5f5f',
      url: 'https://acme.teamtailor.com/jobs/55-crm',
      html: ['<p>Build CRM</p>'],
      location: 'Oslo, Norway',
      workplace: 'remote',
      salary: null,
    },
    malformed: [...noXml, teamtailorXml.replace(/<link>.*?<\/link>/, '')],
  },
];

describe.each(samples)('$kind.name', ({ kind, boardId, address, pasted, answer, posting, malformed }) => {
  const board = { id: boardId };

  it('is recognised by its public addresses, and by no other', () => {
    for (const url of pasted) expect([url, kind.boardAt(new URL(url))]).toEqual([url, board]);
    const others = [
      'https://acme.com/careers',
      'https://www.example.test/acme',
      'https://greenhouse.io.evil.example/acme',
    ];
    for (const url of others) expect([url, kind.boardAt(new URL(url))]).toEqual([url, null]);
    for (const other of samples.filter((sample) => sample.kind !== kind))
      for (const url of other.pasted) expect([url, kind.boardAt(new URL(url))]).toEqual([url, null]);
  });

  it('is read at the documented address', () => {
    expect(kind.address(board, 0)).toBe(address);
    expect(kind.terms).toMatchObject({
      url: expect.stringMatching(/^https:/),
    });
  });

  it('shows the listed postings', () => {
    expect(kind.read(answer, board).postings).toEqual([posting]);
  });

  it('SRC-03 makes observations whose ref names kind, board and item', () => {
    const of = { kind, boardId, companyRef: 'c:acme', redactsContacts: true };
    const line = postingLine(of, {
      ...posting,
      html: [...posting.html, 'Call +49 30 1234567 or ana@acme.com'],
    });
    const { observation, isAutomatic, notes } = readObservation(line, 5_000);
    expect([isAutomatic, notes]).toEqual([true, []]);
    expect(observation).toMatchObject({
      kind: 'job_posting',
      ref: `${kind.name}:${boardId}:${posting.id}`,
      rev: 5_000,
      companyRef: 'c:acme',
      title: posting.title,
      description: expect.stringMatching(/Build CRM[^]*Call \[phone\] or \[e-mail\]$/),
      url: posting.url,
      postedAt: posting.postedAt,
    });
  });

  it('fails if the answer has another form: it is not "no jobs"', () => {
    for (const body of malformed) expect(() => [body, kind.read(body, board)]).toThrow(MalformedAnswer);
  });
});

describe('a posting', () => {
  const of = { kind: greenhouse, boardId: 'acme', companyRef: 'c:acme', redactsContacts: false };
  const bare: SeenPosting = {
    id: '1',
    url: 'https://acme.example/1',
    title: null,
    html: [],
    location: null,
    postedAt: null,
    department: null,
    workplace: null,
    salary: null,
  };

  it('SRC-02 without title and text is left out', () => {
    expect(postingLine(of, bare)).toBeNull();
    expect(postingLine(of, { ...bare, html: ['<p> </p>'] })).toBeNull();
    expect(postingLine(of, { ...bare, html: ['<p>x</p>'] })).toMatchObject({ title: null, description: 'x' });
  });

  it('has readable title, place and department, in any encoding', () => {
    for (const [written, shown] of [
      ['R&amp;D lead &#8211; Paris', 'R&D lead – Paris'],
      ['Sales <b>lead</b>', 'Sales lead'],
      ['S&atilde;o Paulo&nbsp;team', 'São Paulo team'],
      ['AT&T: C++ < Rust & Go', 'AT&T: C++ < Rust & Go'],
      ['Engineer <T>', 'Engineer <T>'],
    ] as const)
      expect(
        postingLine(of, { ...bare, title: written, location: written, department: written }),
      ).toMatchObject({ title: shown, location: shown, department: shown });
    expect(postingLine(of, { ...bare, title: '&nbsp;', html: ['<p>x</p>'] })).toMatchObject({ title: null });
  });

  it('keeps contacts if the operator enables it', () => {
    const said = { ...bare, title: 'Ask ana@acme.com' };
    expect(postingLine(of, said)).toMatchObject({ title: 'Ask ana@acme.com' });
    expect(postingLine({ ...of, redactsContacts: true }, said)).toMatchObject({ title: 'Ask [e-mail]' });
  });
});

describe('members that providers leave open', () => {
  it('are absent if they have another type', () => {
    const odd = {
      ...greenhouseJob,
      title: 7,
      location: 'Berlin',
      departments: { name: 'x' },
      first_published: 1,
      content: null,
    };
    expect(greenhouse.read(JSON.stringify({ jobs: [odd] }), { id: 'acme' }).postings).toMatchObject([
      { title: null, location: null, department: null, postedAt: null, html: [''] },
    ]);
    const posting = {
      ...leverPosting,
      createdAt: 'soon',
      workplaceType: 'moon',
      salaryRange: { min: 'a' },
      lists: 'none',
    };
    expect(lever.read(JSON.stringify([posting]), { id: 'acme' }).postings).toMatchObject([
      { postedAt: null, workplace: null, salary: null },
    ]);
  });

  it('are absent if they are empty, and unknown members are ignored', () => {
    const first = (kind: BoardKind, answer: unknown) =>
      kind.read(typeof answer === 'string' ? answer : JSON.stringify(answer), { id: 'acme.de' }).postings[0];
    const nothing = { location: null, department: null, workplace: null, salary: null };
    const job = {
      id: 4_400_123,
      internal_job_id: null,
      requisition_id: null,
      title: 'CRM Engineer ',
      company_name: 'Acme',
      first_published: null,
      updated_at: '2026-02-20T09:00:00-05:00',
      language: 'en',
      location: { name: '' },
      metadata: null,
      data_compliance: [{ type: 'gdpr', requires_consent: false, retention_period: null }],
      departments: [],
      offices: [],
      absolute_url: 'https://acme.com/careers?gh_jid=4400123',
      content: '',
    };
    expect(first(greenhouse, { jobs: [job], meta: { total: 1 } })).toMatchObject({
      ...nothing,
      title: 'CRM Engineer',
      postedAt: null,
    });
    const { department: _department, location: _location, ...categories } = leverPosting.categories;
    const bare = {
      ...leverPosting,
      country: null,
      opening: '',
      descriptionBody: '',
      additional: '',
      lists: [],
    };
    const unspecified = { workplaceType: 'unspecified', salaryRange: null, additionalPlain: '' };
    expect(
      first(lever, [
        { ...bare, ...unspecified, categories: { ...categories, team: null, allLocations: [] } },
      ]),
    ).toMatchObject(nothing);
    const compensation = { compensationTierSummary: null, compensationTiers: [], summaryComponents: [] };
    const unknown = { department: '', team: null, location: null, secondaryLocations: [], isRemote: null };
    expect(
      first(ashby, {
        apiVersion: '1',
        jobs: [
          {
            ...ashbyJob,
            ...unknown,
            compensation,
            address: null,
            shouldDisplayCompensationOnJobPostings: false,
          },
        ],
      }),
    ).toMatchObject(nothing);
    const salary = { min: null, max: null, currency: null, period: null };
    const offer = { ...recruiteeOffer, department: null, locations: [], location: '', hybrid: false, salary };
    const more = {
      slug: 'crm',
      position: 3,
      tags: [],
      translations: { en: { title: 'x' } },
      requirements: null,
    };
    expect(first(recruitee, { offers: [{ ...offer, ...more }] })).toMatchObject(nothing);
    expect(
      first(
        personio,
        `<?xml version="1.0" encoding="UTF-8"?><workzag-jobs><position><id>7</id><subcompany/><office></office>
        <additionalOffices/><department/><recruitingCategory/><name><![CDATA[R&D Lead]]></name><jobDescriptions/>
        <keywords/></position></workzag-jobs>`,
      ),
    ).toMatchObject({ ...nothing, title: 'R&D Lead', postedAt: null, html: [] });
    expect(
      first(
        teamtailor,
        `<rss version="2.0"><channel><item><title>Lead</title><description/><pubDate/><link>https://a.example/jobs/1</link>
        <remoteStatus/><guid isPermaLink="false">1</guid><company_name>Acme</company_name><tt:locations/><tt:department/>
        <tt:role/></item></channel></rss>`,
      ),
    ).toMatchObject({ ...nothing, title: 'Lead', postedAt: null });
  });

  it('give an empty board if the list is empty', () => {
    expect(greenhouse.read('{"jobs":[]}', { id: 'a' })).toEqual({ postings: [], total: null, items: 0 });
    expect(lever.read('[]', { id: 'a' })).toEqual({ postings: [], total: null, items: 0 });
    expect(personio.read('<workzag-jobs></workzag-jobs>', { id: 'a.de' })).toMatchObject({ items: 0 });
    expect(teamtailor.read('<rss><channel><title>t</title></channel></rss>', { id: 'a' })).toMatchObject({
      items: 0,
    });
  });

  it('separate boards of the EU, and state the total of a board', () => {
    const board = lever.boardAt(new URL('https://jobs.eu.lever.co/acme/a1b2')) ?? { id: '' };
    expect(lever.address(board, 200)).toBe(
      'https://api.eu.lever.co/v0/postings/acme?mode=json&skip=200&limit=100',
    );
    expect(greenhouse.read(JSON.stringify({ jobs: [], meta: { total: 3 } }), { id: 'a' }).total).toBe(3);
    expect(ashby.read(JSON.stringify({ jobs: [{ isListed: false }] }), { id: 'a' })).toMatchObject({
      items: 1,
      postings: [],
    });
  });

  it('are read from XML with numeric character references and with any text in CDATA', () => {
    const written = `<workzag-jobs><position><id>1</id><name>Chef d&#39;&#xE9;quipe &#38;amp; co</name><jobDescriptions>
    <jobDescription><value><![CDATA[<!DOCTYPE html><p>&eacute;t&#233;</p>]]></value></jobDescription></jobDescriptions>
    </position></workzag-jobs>`;
    expect(personio.read(written, { id: 'a.de' }).postings).toMatchObject([
      { title: "Chef d'équipe &amp; co", html: ['', '<!DOCTYPE html><p>&eacute;t&#233;</p>'] },
    ]);
    const described = written.replace(/<!\[CDATA.*\]\]>/, '&#60;p&#62;R&amp;amp;D&lt;/p&gt;');
    expect(personio.read(described, { id: 'a.de' }).postings).toMatchObject([
      { html: ['', '<p>R&amp;D</p>'] },
    ]);
  });

  it('are refused in XML with entities or excessive depth', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><workzag-jobs>&c;</workzag-jobs>';
    const deep = `<workzag-jobs>${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}</workzag-jobs>`;
    for (const body of [bomb, deep])
      expect(() => personio.read(body, { id: 'a.de' })).toThrow(MalformedAnswer);
  });
});
