import { refusal } from '#kernel/values/refusal.js';
import { subjectPage } from '../console-endpoints.js';

const unknownPage = refusal({
  code: 'unknown-page',
  kind: 'missing',
  detail: 'There is no such page.',
});

/** Any other address: the listener would answer a browser like a caller without a token. */
export const UnknownPage = subjectPage({
  route: 'GET /console/*',
  summary: 'An address without a page',
  async show() {
    throw unknownPage();
  },
});
