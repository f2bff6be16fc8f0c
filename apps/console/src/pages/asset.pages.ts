import { Endpoint } from '#http/endpoint.js';
import { reply } from '#http/reply.js';
import { chartScript, chartStyle } from '../charts/chart-assets.js';
import { liveScript } from '../live-script.js';

function asset({ path, text }: typeof chartScript, textType: string, summary: string) {
  @Endpoint({ caller: 'public', route: `GET ${path}`, summary, textType, kept: true })
  class Asset {
    handle() {
      return reply(text, {
        headers: { 'content-type': `${textType}; charset=utf-8`, 'x-content-type-options': 'nosniff' },
      });
    }
  }
  return Asset;
}

export const ChartScript = asset(chartScript, 'text/javascript', 'The script of the charts');
export const ChartStyle = asset(chartStyle, 'text/css', 'The style of the charts');
export const LiveScript = asset(
  liveScript,
  'text/javascript',
  'The progress of running work, for the bar of a page',
);
