import { Endpoint } from '#http/endpoint.js';
import { reply } from '#http/reply.js';
import { liveScript } from '../live-script.js';

@Endpoint({
  caller: 'public',
  route: `GET ${liveScript.path}`,
  summary: 'The progress of running work, for the bar of a page',
  textType: 'text/javascript',
  kept: true,
})
export class LiveScript {
  handle() {
    return reply(liveScript.text, {
      headers: { 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' },
    });
  }
}
