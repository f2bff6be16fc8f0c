import { batchOfSingleContents, batchWithCandidates } from './upcast-batch.js';

describe('a batch prepared when candidates had one content', () => {
  const facts = { url: null, text: 'crm' };
  const posting = { ref: 'job:1', type: 'job_posting', facts };
  const candidate = {
    detectionId: 501,
    subject: 'post:1',
    signalType: 'keywordDetection',
    content: { ref: 'post:1', type: 'post', facts },
    data: { keywords_found: ['crm'] },
  };
  const cursor = '{"publishedAt":"2026-01-03T09:00:00.000Z","ref":"post:1"}';
  const upcast = (...candidates: readonly object[]) =>
    batchOfSingleContents(JSON.parse(JSON.stringify({ batch: 1, more: true, cursor, candidates })));

  it('has its subjects as charge keys and continues at its cursor', () => {
    expect(upcast(candidate)).toEqual({
      batch: 1,
      more: true,
      resume: { publishedAt: '2026-01-03T09:00:00.000Z', ref: 'post:1' },
      candidates: [
        {
          detectionId: 501,
          subject: 'post:1',
          chargeKey: 'post:1',
          signalType: 'keywordDetection',
          contents: [{ ref: 'post:1', type: 'post', facts, idIn: 'data' }],
          data: { content_id: null, keywords_found: ['crm'] },
        },
      ],
    });
  });

  it('has no member for the id of a job posting, and has the employer of a lead who works elsewhere', () => {
    const [first] = [
      upcast({
        ...candidate,
        signalType: 'jobPostingKeywordDetection',
        content: posting,
        leadWorksElsewhere: true,
      }).candidates,
    ].flat();
    expect(first).toMatchObject({
      contents: [{ ref: 'job:1', type: 'job_posting', facts, idIn: null }],
      data: { keywords_found: ['crm'] },
      employer: null,
    });
    expect(JSON.stringify(first)).not.toContain('content_id');
    const [without] = [upcast({ ...candidate, content: null }).candidates].flat();
    expect(without).toMatchObject({ contents: [] });
  });

  it('keeps a cursor that is no JSON as text', () => {
    expect(batchOfSingleContents({ cursor: '2026-01-03 post:1', candidates: [] })).toEqual({
      resume: '2026-01-03 post:1',
      candidates: [],
    });
  });
});

describe('a batch prepared before batches had streams of their own', () => {
  it('keeps its candidates, and lists their subjects and charge keys', () => {
    const candidates = [
      { subject: 'networkComment:1', chargeKey: 'lead:c:acme' },
      { subject: 'networkComment:2', chargeKey: 'lead:c:acme' },
    ];
    expect(batchWithCandidates({ batch: 2, candidates, resume: null, more: false })).toEqual({
      batch: 2,
      candidates,
      subjects: ['networkComment:1', 'networkComment:2'],
      chargeKeys: ['lead:c:acme'],
      resume: null,
      more: false,
    });
  });
});
