import { Writable } from 'node:stream';
import { createHttpApp, type HttpApp, type HttpAppOptions } from '#http/http-app.js';
import { createLogger, type Logger } from '#http/log.js';

/** A listener that is ready, admits the public only and logs nothing, unless told otherwise. */
export const httpListener = (
  options: Pick<HttpAppOptions, 'rootModule'> & Partial<HttpAppOptions>,
): Promise<HttpApp> =>
  createHttpApp({
    callers: {},
    readiness: { report: async () => ({ ready: true, degraded: [], reasons: [] }) },
    logger: createLogger('silent'),
    docsUrl: 'https://docs.example.test',
    ...options,
  });

/** A logger that adds its lines to a list. */
export const loggerTo = (lines: string[]): Logger =>
  createLogger(
    'info',
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
