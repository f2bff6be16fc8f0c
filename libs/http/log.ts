import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { standardLog } from './log-output.js';

export type { Logger };

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A logger that writes one JSON object per line, by default to stdout. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: timeOfLine };
  return pino(options, destination ?? standardLog());
}

/** The same as pino's `isoTime`, formatted once for all lines of a millisecond. */
function timeOfLine(): string {
  const now = Date.now();
  if (now !== latest.ms) latest = { ms: now, text: `,"time":"${new Date(now).toISOString()}"` };
  return latest.text;
}

let latest = { ms: -1, text: '' };

/** Nest's own messages as JSON lines; its start-up messages have level debug. */
export function nestLogger(logger: Logger): LoggerService {
  const line = (level: 'debug' | 'warn' | 'error' | 'fatal') => {
    return (message: unknown, ...details: unknown[]) => {
      const context = details.at(-1);
      logger[level]({ context, ...(message instanceof Error ? { err: message } : {}) }, String(message));
    };
  };
  return {
    log: line('debug'),
    debug: line('debug'),
    verbose: line('debug'),
    warn: line('warn'),
    error: line('error'),
    fatal: line('fatal'),
  };
}
