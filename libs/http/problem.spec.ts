import { HttpException } from '@nestjs/common';
import { AppendTooLarge, StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { ReadModelUnavailable } from '#kernel/ports/read-store.port.js';
import { refusal } from '#kernel/values/refusal.js';
import { pathOf, problemDocument, problemOf, problemTypes, slugOf, type Problem } from './problem.js';

const docsUrl = 'https://docs.example.test';

describe('a problem document', () => {
  it('OP-71 names undeclared properties such as __proto__ and constructor like any other', () => {
    const errors = new Map([
      ['__proto__', ['is not a parameter of this signal']],
      ['constructor', ['is not a parameter of this signal']],
    ]);
    const asked = { method: 'POST', url: '/api/v3/signal-setups?x' };
    expect(problemDocument({ status: 422, detail: 'No.', errors }, asked, docsUrl)).toBe(
      '{"type":"about:blank","title":"Unprocessable Entity","status":422,"detail":"No.",' +
        '"instance":"/api/v3/signal-setups","errors":{"__proto__":["is not a parameter of this signal"],' +
        '"constructor":["is not a parameter of this signal"]}}',
    );
  });

  const documentOf = (problem: Problem, method: string, url: string) =>
    JSON.parse(problemDocument(problem, { method, url }, docsUrl));

  it('OP-03 names a v3 400 by its part: path, query or body', () => {
    const titles = (['path', 'query', 'body'] as const).map(
      (place) => documentOf({ status: 400, detail: 'No.', place }, 'GET', '/api/v3/usage').title,
    );
    expect(titles).toEqual(['Invalid path parameters', 'Invalid query parameters', 'Invalid request body']);
  });

  it('a 400 refusal of a rule is about the query of a GET and the body of a POST', () => {
    const problem = problemOf(refusal({ code: 'x', kind: 'unacceptable', detail: 'No.' })());
    const title = (method: string) => documentOf(problem, method, '/api/v3/x').title;
    expect([title('GET'), title('POST')]).toEqual(['Invalid query parameters', 'Invalid request body']);
  });

  it('v3 is every path below /api/v3 and no similar one', () => {
    const type = (url: string) => documentOf({ status: 404, detail: 'No.' }, 'GET', url).type;
    expect(['/api/v3', '/api/v3/x', '/api/v3?x'].map(type)).toEqual(Array(3).fill('about:blank'));
    expect(['/api/v30', '/api/v2/api/v3/', '/'].map(type)).toEqual(
      Array(3).fill(`${docsUrl}/errors/not-found`),
    );
  });
});

describe('an error', () => {
  it('that is not attributed to the caller is 500 without details', () => {
    const coded = Object.assign(new Error('secret'), { statusCode: 400, code: 'OTHER' });
    const thrown = [
      new Error('secret'),
      'secret',
      null,
      new HttpException('secret', 502),
      { statusCode: 400 },
    ];
    for (const error of [...thrown, coded]) {
      expect(problemOf(error)).toEqual({ status: 500, detail: 'An unexpected error occurred.' });
    }
  });

  it('that the framework attributes to the caller is 400, or 404', () => {
    const tooLarge = Object.assign(new Error('x'), { statusCode: 413, code: 'FST_ERR_CTP_BODY_TOO_LARGE' });
    expect(problemOf(tooLarge)).toMatchObject({ status: 400, detail: 'The request body is too large.' });
    expect([413, 414, 415, 404].map((status) => problemOf(new HttpException('x', status)).status)).toEqual([
      400, 400, 400, 404,
    ]);
    expect(problemOf(new AppendTooLarge('setup-1_2', 600_000)).status).toBe(400);
  });

  it('of a store is 503, and tells a read model that cannot answer from a store that cannot be reached', () => {
    const answers = [new StoreUnavailable('x'), new ReadModelUnavailable('x')].map(problemOf);
    expect(answers).toMatchObject([
      { status: 503, detail: 'The service cannot reach its store at the moment; try again.' },
      { status: 503, detail: 'A read model that this needs cannot answer at the moment; try again.' },
    ]);
  });

  it('of every status has a documented type', () => {
    for (const status of [400, 401, 402, 403, 404, 405, 408, 409, 410, 422, 429, 500, 503]) {
      expect(Object.keys(problemTypes)).toContain(slugOf({ status }));
    }
  });
});

describe('the path of a request', () => {
  it('is the sent path, up to the query or fragment', () => {
    expect(['/a/%41/?b=?c', '/a#b', '/', '*'].map(pathOf)).toEqual(['/a/%41/', '/a', '/', '*']);
  });
});
