import { Endpoint } from '#http/endpoint.js';
import { reply } from '#http/reply.js';
import { chartScript, chartStyle } from '../charts/chart-assets.js';
import { liveScript } from '../live-script.js';

@Endpoint({
  caller: 'public',
  route: `GET ${chartScript.path}`,
  summary: 'The script of the charts',
  textType: 'text/javascript',
  kept: true,
})
export class ChartScript {
  handle() {
    return asset('text/javascript', chartScript.text);
  }
}

@Endpoint({
  caller: 'public',
  route: `GET ${chartStyle.path}`,
  summary: 'The style of the charts',
  textType: 'text/css',
  kept: true,
})
export class ChartStyle {
  handle() {
    return asset('text/css', chartStyle.text);
  }
}

@Endpoint({
  caller: 'public',
  route: `GET ${liveScript.path}`,
  summary: 'The progress of running work, for the bar of a page',
  textType: 'text/javascript',
  kept: true,
})
export class LiveScript {
  handle() {
    return asset('text/javascript', liveScript.text);
  }
}

const asset = (type: string, text: string) =>
  reply(text, {
    headers: { 'content-type': `${type}; charset=utf-8`, 'x-content-type-options': 'nosniff' },
  });
