import { isLinkToken } from '#kernel/values/console-links.js';
import type { PathParameter } from '#http/parameters.js';
import { atDesk } from '../console-endpoints.js';
import { notOpened } from '../page-answers.js';

const token: PathParameter<string> = {
  invalid: 404,
  message: 'must be the token of a link',
  read: (text) => (isLinkToken(text) ? { value: text } : 'invalid'),
  schema: { type: 'string' },
};
export const OpenLink = atDesk({
  route: 'GET /console/links/:token',
  summary: 'Exchange a read-only link for a session, once',
  params: { token },
  otherStatuses: [303, 404],
  answer: (desk, { params: { token: given }, ...asked }) => desk.openLink(asked, given),
  refuse: (_desk, _asked, refusal) => notOpened(refusal),
});
