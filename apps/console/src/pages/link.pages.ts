import { Inject } from '@nestjs/common';
import { isLinkToken } from '#kernel/values/console-links.js';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import type { PathParameter } from '#http/parameters.js';
import { CONSOLE, type Desk } from '../desk.js';

const token: PathParameter<string> = {
  invalid: 404,
  message: 'must be the token of a link',
  read: (text) => (isLinkToken(text) ? { value: text } : 'invalid'),
  schema: { type: 'string' },
};
const params = { token };

@Endpoint({
  caller: 'public',
  route: 'GET /console/links/:token',
  summary: 'Exchange a read-only link for a session, once',
  params,
  html: true,
  otherStatuses: [303, 404],
})
export class OpenLink {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({ params: { token: given }, ...asked }: PublicRequest<{ params: typeof params }>) {
    return this.desk.openLink(asked, given);
  }
}
