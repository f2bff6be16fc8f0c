import { Endpoint } from '#http/endpoint.js';
import { reply } from '#http/reply.js';
import { chartScript, chartStyle } from '../charts/chart-assets.js';

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

const asset = (type: string, text: string) =>
  reply(text, {
    headers: { 'content-type': `${type}; charset=utf-8`, 'x-content-type-options': 'nosniff' },
  });
