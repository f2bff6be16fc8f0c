import { answersOf, apiDocument, type ReceivedAnswer } from '#test/support/declared-answers.js';

const check = answersOf(apiDocument());

const stamps = { 'x-request-id': 'abc', 'x-response-time': '1.2ms', 'cache-control': 'no-store' };
const answer = (status: number, body: unknown, headers: object = {}): ReceivedAnswer => ({
  status,
  body,
  headers: new Headers({
    ...stamps,
    'content-type': status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json',
    ...headers,
  }),
});
const problem = (status: number, members: object = {}) => ({
  type: 'https://docs.example.test/errors/not-found',
  title: 'Not Found',
  status,
  detail: 'There is none.',
  instance: '/api/v2/leads/1',
  ...members,
});
const content = (members: object = {}) => ({ status: 'live', ...members });

describe('an answer checked against the document', () => {
  const faultsOf = (method: string, url: string, received: ReceivedAnswer): string =>
    check(method, url, received).join('\n');

  it('passes when it is as declared: status, headers, type and body', () => {
    expect(faultsOf('GET', '/health/live?x=1', answer(200, content()))).toBe('');
    expect(faultsOf('HEAD', '/health/live/', answer(200, null))).toBe('');
    expect(faultsOf('GET', '/api/v2/leads/1', answer(404, problem(404)))).toBe('');
    expect(faultsOf('GET', '/nowhere', answer(404, problem(404)))).toBe('');
    expect(faultsOf('GET', '/api/v2/leads/%ZZ', answer(400, problem(400)))).toBe('');
    expect(faultsOf('GET', '/api/v2/leads/%ZZ', answer(401, problem(401)))).toBe('');
  });

  it('fails for a status that its route does not declare', () => {
    expect(faultsOf('GET', '/health/live', answer(404, problem(404)))).toContain(
      'status 404 is not declared',
    );
    expect(faultsOf('GET', '/nowhere', answer(200, {}))).toContain('a path without operation');
  });

  it('fails for a member that is missing, is of another type, or is not declared', () => {
    expect(faultsOf('GET', '/health/live', answer(200, {}))).toContain('required');
    expect(faultsOf('GET', '/health/live', answer(200, content({ status: 5 })))).toContain('constant');
    expect(faultsOf('GET', '/health/live', answer(200, content({ more: 1 })))).toContain('additional');
  });

  it('fails for a problem document of another status, another dialect or an undeclared title', () => {
    const ofLead = (members: object) =>
      faultsOf('GET', '/api/v2/leads/1', answer(404, problem(404, members)));
    expect(ofLead({ status: 400 })).toContain('body/status');
    expect(ofLead({ type: 'about:blank' })).toContain('body/type');
    expect(ofLead({ title: 'Gone' })).toContain('body/title');
    expect(ofLead({ errors: { id: ['x'] } })).toContain('unevaluated');
  });

  it('fails for a body of another content type, and for a missing one', () => {
    const plain = { 'content-type': 'application/json' };
    expect(faultsOf('GET', '/api/v2/leads/1', answer(404, problem(404), plain))).toContain('content type');
    expect(faultsOf('HEAD', '/health/live', answer(200, content()))).toContain('HEAD');
    expect(faultsOf('DELETE', '/api/v2/lists/company/1', answer(204, {}))).toContain('not declared');
  });

  it('SUP-09 fails for a payload that a run found and that has not the form of its signal type', () => {
    const payload = { content_id: 31, author: null, keywords_found: ['crm'] };
    const queried = (members: object) => {
      const detection = {
        id: 1,
        signal_type: 'keywordDetection',
        data: payload,
        detected_at: null,
        signal_date: null,
        lead_id: null,
        company_id: null,
        agent_id: 7,
        source_url: null,
        author: null,
        excerpt: null,
        provenance: [],
        credits: 0,
        movement_id: null,
        ...members,
      };
      const body = { data: [detection], meta: { next_cursor: null, has_more: false } };
      const limits = { 'ratelimit-limit': '1', 'ratelimit-remaining': '1', 'ratelimit-reset': '0' };
      return faultsOf('POST', '/api/v2/workspace/signals/query', answer(200, body, limits));
    };
    expect(queried({})).toBe('');
    expect(queried({ agent_id: null, data: 'noted by hand' })).toBe('');
    expect(queried({ data: { ...payload, more: 1 } })).toContain('keywordDetection must NOT have additional');
    expect(queried({ signal_type: 'newJob' })).toContain('newJob must have required property');
  });

  it('fails for a header that is missing or differs from its declaration', () => {
    const without = new Headers({ ...stamps, 'content-type': 'application/json' });
    without.delete('x-request-id');
    const body = content();
    expect(faultsOf('GET', '/health/live', { status: 200, body, headers: without })).toContain(
      'X-Request-Id',
    );
    expect(faultsOf('GET', '/health/live', answer(200, body, { 'x-response-time': 'soon' }))).toContain(
      'X-Response-Time',
    );
    expect(faultsOf('GET', '/api/v2/personas', answer(200, body))).toContain('X-Total-Count');
  });
});
