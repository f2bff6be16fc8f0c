import { nearestName } from '#kernel/values/known-names.js';

/** Every variable that the service reads. */
const SETTING_NAMES = [
  'CLOCK',
  'CORS_ORIGINS',
  'CURSOR_SECRET',
  'DATA_DIR',
  'DEPRECATED_SINCE',
  'DOCS_URL',
  'EVENT_STORE_URL',
  'HOST',
  'LOG_LEVEL',
  'MONITORING_PASS',
  'NETWORK_BASE_URL',
  'NETWORK_STORE_URL',
  'OPS_HOST',
  'OPS_PORT',
  'OPS_TOKEN',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_SDK_DISABLED',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OUTBOUND_ALLOW_CIDRS',
  'PORT',
  'RATE_LIMIT_BURST',
  'RATE_LIMIT_RPS',
  'READ_STORE_URL',
  'RESEARCH_KEY',
  'RESEARCH_MODEL',
  'RESEARCH_URL',
  'ROLES',
  'SECRETS_KEY_FILE',
  'SOURCE_CONTACT',
  'STORE_START_PATIENCE',
  'SUNSET_DATE',
  'TRUSTED_PROXIES',
] as const;

const KNOWN: ReadonlySet<string> = new Set(SETTING_NAMES);
/** The minimum length of checked names: shorter names of other programs are similar by chance. */
const SHORTEST = 5;
const MOST_EDITS = 2;

/** A line for each variable of the environment that is nearly the name of a setting and has no effect. */
export function misspeltSettings(environment: {
  readonly [variable: string]: string | undefined;
}): readonly string[] {
  return Object.keys(environment)
    .filter((name) => name.length >= SHORTEST && !KNOWN.has(name))
    .sort()
    .flatMap((name) => {
      const meant = nearestName(name.toUpperCase(), KNOWN, name.length < 8 ? 1 : MOST_EDITS);
      return meant === null ? [] : [`${name} is not a setting and has no effect; did you mean ${meant}?`];
    });
}
