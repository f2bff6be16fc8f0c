import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { readAddressRange } from '#http/client-addresses.js';
import { parseInstant } from '#kernel/values/instants.js';
import { readCidrs, type AllowedCidrs } from '#outbound/addresses.js';
import { readWrappingKey } from '#secrets/wrapping.js';
import { shownAddress } from '#kernel/values/shown-address.js';
import { isAbsolute, join, resolve } from 'node:path';
import { misspeltSettings } from './setting-names.js';
import { SAMPLERS, type TracingSettings } from './tracing/tracing-settings.js';

/** Which store: `sqlite:<file>`. */
export type StoreUrl = { readonly kind: 'sqlite'; readonly path: string };
/** Which event store: a file, or a server by its connection string (with the credentials, not to be shown). */
export type EventStoreUrl = StoreUrl | { readonly kind: 'esdb'; readonly url: string };

/** A database of a MongoDB: the connection string names it (with the credentials, not to be shown). */
export type MongoUrl = { readonly kind: 'mongodb'; readonly url: string };

export type LogLevelSetting = 'silent' | 'error' | 'warn' | 'info' | 'debug';
export type Role = 'api' | 'worker';

/** The checked settings from the environment; docs/configuration.md has their table. */
export type Settings = {
  readonly host: string;
  readonly port: number;
  /** null: no private listener. */
  readonly ops: { readonly host: string; readonly port: number; readonly token: string } | null;
  readonly dataDirectory: string;
  /** How long the start waits for stores that cannot be reached, in milliseconds. */
  readonly storeStartPatienceMs: number;
  /** A line for each variable that is nearly the name of a setting. */
  readonly misspelt: readonly string[];
  readonly eventStore: EventStoreUrl;
  readonly readStore: StoreUrl | MongoUrl;
  readonly networkStore: StoreUrl | MongoUrl;
  readonly roles: readonly Role[];
  readonly clock: 'system' | 'manual';
  /** Whether this worker makes the daily passes that are due. */
  readonly monitoringPass: 'on' | 'off' | 'live';
  readonly docsUrl: string;
  readonly networkBaseUrl: string;
  /** null: made once and kept in the data directory. */
  readonly cursorSecret: string | null;
  /** The provider of answers to research questions (D-83), with its secret key; null: the service itself. */
  readonly research: { readonly url: string; readonly model: string; readonly key: string | null } | null;
  /** Special-purpose addresses that requests of this service may reach as an exception (SRC-09). */
  readonly outboundAllowed: AllowedCidrs;
  /** The contact address for providers of sources, in the User-Agent of each poll; null: nothing is polled. */
  readonly sourceContact: string | null;
  /** The key that wraps stored secrets; null: they are protected only by access to the store. */
  readonly secretsKey: Uint8Array | null;
  /** The file of this key. */
  readonly secretsKeyFile: string | null;
  /** Where traces go; null: nothing is traced. */
  readonly tracing: TracingSettings | null;
  readonly corsOrigins: readonly string[];
  /** The date of the deprecation of deprecated routes, YYYY-MM-DD. */
  readonly deprecatedSince: string;
  /** The date from which deprecated routes may be removed, YYYY-MM-DD. */
  readonly sunsetDate: string | null;
  /** Of each API key; null: none. */
  readonly rateLimit: { readonly requestsPerSecond: number; readonly burst: number } | null;
  /** Proxies whose forwarded addresses are trusted, as CIDRs. */
  readonly trustedProxies: readonly string[];
  readonly logLevel: LogLevelSetting;
  /** How long an API key may be answered from memory, in milliseconds. */
  readonly apiKeyCacheMs: number;
  /** Makes a success body that does not meet its declaration a 500; on in tests. */
  readonly verifyResponses: boolean;
};

/** A setting has a value that it cannot take. The message is one line for the person who started the service. */
export class InvalidSetting extends Error {
  constructor(
    readonly variable: string,
    takes: string,
    value?: string,
  ) {
    super(`${variable} takes ${takes}${value === undefined ? '' : `, not ${JSON.stringify(value)}`}`);
    this.name = 'InvalidSetting';
  }

  /** Combines several errors into one, a line each. Throws for an empty array. */
  static of(faults: readonly InvalidSetting[]): InvalidSetting {
    const [first, ...others] = faults;
    if (first === undefined) throw new RangeError('no setting is wrong');
    if (others.length > 0) first.message = faults.map(({ message }) => message).join('\n');
    return first;
  }
}

type Environment = { readonly [variable: string]: string | undefined };

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
const HOST_NAME = /^(?!\d+(\.\d+)*$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;
const API_KEY_CACHE_MS = 5_000;
export const SHORTEST_SECRET = 16;

const STAND_IN_SECRET = '0'.repeat(SHORTEST_SECRET);
/** The value used instead of a wrong one if another setting reads the variable. */
const STAND_INS: ReadonlyMap<string, Environment> = new Map([
  ['CURSOR_SECRET', { CURSOR_SECRET: STAND_IN_SECRET }],
  ['OPS_PORT', { OPS_PORT: '1' }],
  ['OPS_TOKEN', { OPS_TOKEN: STAND_IN_SECRET }],
  // These three are checked together.
  ['RESEARCH_URL', { RESEARCH_URL: '', RESEARCH_MODEL: '', RESEARCH_KEY: '' }],
  ['RESEARCH_MODEL', { RESEARCH_URL: '', RESEARCH_MODEL: '', RESEARCH_KEY: '' }],
]);

/**
 * Reads the settings; an empty variable counts as absent. Throws one `InvalidSetting` that names every variable with a
 * wrong value, a line each.
 */
export function readSettings(environment: Environment): Settings {
  const faults = new Map<string, InvalidSetting>();
  let rest = environment;
  for (;;) {
    const read = faultIn(() => readEach(rest));
    if (!(read instanceof InvalidSetting)) {
      if (faults.size === 0) return read;
      break;
    }
    if (faults.has(read.variable)) break;
    faults.set(read.variable, read);
    rest = { ...rest, ...(STAND_INS.get(read.variable) ?? { [read.variable]: '' }) };
  }
  throw InvalidSetting.of([...faults.values()]);
}

function faultIn(read: () => Settings): Settings | InvalidSetting {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidSetting) return error;
    throw error;
  }
}

/** Throws at the first wrong setting. */
function readEach(environment: Environment): Settings {
  const text = (variable: string, fallback: string): string => environment[variable] || fallback;

  function oneOf<const Value extends string>(
    variable: string,
    values: readonly Value[],
    fallback: Value,
  ): Value {
    const value = text(variable, fallback);
    const known = values.find((candidate) => candidate === value);
    if (known === undefined) throw new InvalidSetting(variable, `one of ${values.join(', ')}`, value);
    return known;
  }

  function port(variable: string, fallback: string): number {
    const value = text(variable, fallback);
    if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) {
      throw new InvalidSetting(variable, 'a port number from 0 to 65535', value);
    }
    return Number(value);
  }

  // Paths are appended to it.
  function baseUrl(variable: string, fallback: string): string {
    const value = text(variable, fallback);
    if (!/^https?:\/\/[^?#]+$/.test(value) || !URL.canParse(value)) {
      throw new InvalidSetting(variable, 'an http or https address without query and fragment', value);
    }
    return value.replace(/\/+$/, '');
  }

  function count(variable: string, fallback: string): number {
    const value = text(variable, fallback);
    if (!/^\d{1,6}$/.test(value)) {
      throw new InvalidSetting(variable, 'a whole number from 0 (no limit) to 999999', value);
    }
    return Number(value);
  }

  function host(variable: string, fallback: string): string {
    const value = text(variable, fallback);
    if (isIP(value) === 0 && !HOST_NAME.test(value)) {
      throw new InvalidSetting(variable, 'an IP address or a host name, without port', value);
    }
    return value;
  }

  function origins(variable: string): readonly string[] {
    const values = text(variable, '')
      .split(',')
      .map((value) => value.trim())
      .filter(Boolean);
    for (const value of values) {
      // a browser sends exactly this spelling, so any other would never match
      if (!/^https?:\/\//.test(value) || !URL.canParse(value) || new URL(value).origin !== value) {
        throw new InvalidSetting(
          variable,
          'origins such as https://app.example.test, separated by commas',
          value,
        );
      }
    }
    return values;
  }

  const dataDirectory = resolve(text('DATA_DIR', './data'));

  function storeUrl(variable: string, file: string): StoreUrl {
    const value = text(variable, `sqlite:${join(dataDirectory, file)}`);
    if (!value.startsWith('sqlite:') || value === 'sqlite:') {
      throw new InvalidSetting(variable, `sqlite:<file>`, shownAddress(value));
    }
    const path = value.slice('sqlite:'.length);
    return { kind: 'sqlite', path: isAbsolute(path) ? path : resolve(path) };
  }

  function eventStoreUrl(variable: string): EventStoreUrl {
    const value = text(variable, '');
    return value === '' ? storeUrl(variable, 'events.db') : readEventStoreUrl(variable, value);
  }

  function viewUrl(variable: string, file: string): StoreUrl | MongoUrl {
    const value = text(variable, '');
    return value === '' || value.startsWith('sqlite:')
      ? storeUrl(variable, file)
      : readViewUrl(variable, value);
  }

  const eventStore = eventStoreUrl('EVENT_STORE_URL');
  const cursorSecret = secretIn(environment, 'CURSOR_SECRET');
  if (eventStore.kind === 'esdb' && cursorSecret === null) {
    throw new InvalidSetting(
      'CURSOR_SECRET',
      'a secret, the same on every process, when EVENT_STORE_URL is esdb',
      '',
    );
  }
  const ops = operatorsOn(
    host('OPS_HOST', '127.0.0.1'),
    environment['OPS_PORT'] ? port('OPS_PORT', '0') : null,
    operatorTokenIn(environment),
  );
  const clock = oneOf('CLOCK', ['system', 'manual'], 'system');
  if (clock === 'manual' && ops === null) {
    throw new InvalidSetting('CLOCK', 'manual only together with OPS_PORT and OPS_TOKEN', clock);
  }
  const requestsPerSecond = count('RATE_LIMIT_RPS', '200');
  const burst = count('RATE_LIMIT_BURST', '1000');
  const isTest = environment['NODE_ENV'] === 'test';
  const roles = text('ROLES', 'api,worker').split(',').map(toRole);

  return {
    host: host('HOST', '127.0.0.1'),
    port: port('PORT', '3000'),
    ops,
    dataDirectory,
    storeStartPatienceMs: 1_000 * secondsIn(environment, 'STORE_START_PATIENCE', isTest ? '0' : '60'),
    misspelt: misspeltSettings(environment),
    eventStore,
    readStore: viewUrl('READ_STORE_URL', 'views.db'),
    networkStore: viewUrl('NETWORK_STORE_URL', 'network.db'),
    roles,
    clock,
    monitoringPass: oneOf('MONITORING_PASS', ['on', 'off', 'live'], 'on'),
    docsUrl: baseUrl('DOCS_URL', 'https://docs.example.test'),
    networkBaseUrl: baseUrl('NETWORK_BASE_URL', 'https://www.network.example'),
    cursorSecret,
    research: researchIn(environment),
    outboundAllowed: outboundAllowedIn(environment),
    sourceContact: sourceContactIn(environment),
    secretsKey: secretsKeyIn(environment),
    secretsKeyFile: environment['SECRETS_KEY_FILE'] || null,
    tracing: tracingIn(environment),
    corsOrigins: origins('CORS_ORIGINS'),
    sunsetDate: dateIn(environment, 'SUNSET_DATE'),
    deprecatedSince: dateIn(environment, 'DEPRECATED_SINCE') ?? '2026-01-01',
    rateLimit: requestsPerSecond === 0 || burst === 0 ? null : { requestsPerSecond, burst },
    trustedProxies: trustedProxiesIn(environment),
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    apiKeyCacheMs: isTest ? 0 : API_KEY_CACHE_MS,
    verifyResponses: isTest,
  };
}

/** A calendar day; null without one. */
function dateIn(environment: Environment, variable: string): string | null {
  const value = environment[variable] || null;
  if (value !== null && parseInstant(value)?.dateOnly !== true)
    throw new InvalidSetting(variable, 'a date such as 2027-06-30', value);
  return value;
}

function secondsIn(environment: Environment, variable: string, fallback: string): number {
  const value = environment[variable] || fallback;
  if (!/^\d{1,4}$/.test(value)) throw new InvalidSetting(variable, 'whole seconds from 0 to 9999', value);
  return Number(value);
}

function trustedProxiesIn(environment: Environment): readonly string[] {
  const values = (environment['TRUSTED_PROXIES'] || '')
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean);
  const wrong = values.find((value) => readAddressRange(value) === null);
  if (wrong === undefined) return values;
  throw new InvalidSetting(
    'TRUSTED_PROXIES',
    'addresses or CIDRs such as 10.0.0.0/8, separated by commas',
    wrong,
  );
}

function secretIn(environment: Environment, variable: string): string | null {
  const value = environment[variable] || null;
  if (value !== null && value.length < SHORTEST_SECRET)
    throw new InvalidSetting(variable, `at least ${SHORTEST_SECRET} characters that cannot be guessed`);
  return value;
}

/** A bearer token that a request can send: visible characters of ASCII, and spaces between them. */
function operatorTokenIn(environment: Environment): string | null {
  const token = secretIn(environment, 'OPS_TOKEN');
  if (token !== null && !/^[\x21-\x7e][\x20-\x7e]*[\x21-\x7e]$/.test(token))
    throw new InvalidSetting('OPS_TOKEN', 'visible ASCII characters, without white space around them');
  return token;
}

/** Port and token only together: one of them alone would admit or exclude operators against the intention. */
function operatorsOn(host: string, port: number | null, token: string | null): Settings['ops'] {
  if (port === null && token === null) return null;
  if (port === null) throw new InvalidSetting('OPS_PORT', 'a port number when OPS_TOKEN is set');
  if (token === null) throw new InvalidSetting('OPS_TOKEN', 'a secret when OPS_PORT is set');
  return { host, port, token };
}

/** Address and model only together; the related settings are sent only to that address. */
function researchIn(environment: Environment): Settings['research'] {
  const url = environment['RESEARCH_URL'] || '';
  const model = environment['RESEARCH_MODEL'] || '';
  const key = environment['RESEARCH_KEY'] || '';
  if (!url && !model) {
    if (key)
      throw new InvalidSetting('RESEARCH_URL', 'the address that RESEARCH_KEY is for, when that is set');
    return null;
  }
  const isAddress =
    /^https?:\/\//.test(url) && URL.canParse(url) && new URL(url).username + new URL(url).password === '';
  if (!isAddress) {
    const takes = 'the full http or https address of a chat-completions endpoint, without user and password';
    throw new InvalidSetting('RESEARCH_URL', `${takes}, when RESEARCH_MODEL is set`, shownAddress(url));
  }
  if (!model) throw new InvalidSetting('RESEARCH_MODEL', 'the name of a model, when RESEARCH_URL is set');
  // The value is sent in a header: any other character would make each request fail.
  if (!/^[\x21-\x7e]*$/.test(key)) throw new InvalidSetting('RESEARCH_KEY', 'a key of visible characters');
  return { url, model, key: key || null };
}

function outboundAllowedIn(environment: Environment): AllowedCidrs {
  const text = environment['OUTBOUND_ALLOW_CIDRS'] || '';
  const cidrs = readCidrs(text);
  const takes = 'networks such as 10.1.2.0/24 or fd00:1::/64, separated by commas';
  if (cidrs === null) throw new InvalidSetting('OUTBOUND_ALLOW_CIDRS', takes, text);
  return cidrs;
}

function secretsKeyIn(environment: Environment): Uint8Array | null {
  const file = environment['SECRETS_KEY_FILE'] || '';
  if (file === '') return null;
  const takes = 'a file with a key of 32 bytes, in hexadecimal or base64';
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? `: ${error.message}` : '';
    throw new InvalidSetting('SECRETS_KEY_FILE', `${takes}${why}`);
  }
  const key = readWrappingKey(text);
  if (key === null) throw new InvalidSetting('SECRETS_KEY_FILE', takes, file);
  return key;
}

function sourceContactIn(environment: Environment): string | null {
  const contact = environment['SOURCE_CONTACT'] || '';
  if (contact === '') return null;
  const isMail = /^[\w.+-]{1,64}@[\w-]+(\.[\w-]+)+$/.test(contact);
  const isPage = /^https?:\/\/[\x21-\x27\x2a-\x7e]{3,200}$/.test(contact) && URL.canParse(contact);
  if (!isMail && !isPage)
    throw new InvalidSetting('SOURCE_CONTACT', 'a mail address or the address of a page', contact);
  return contact;
}

/**
 * The standard variables of OpenTelemetry. Traces are switched on by an address alone; the variables that the
 * exporter reads itself (headers with a key, time limit, compression) are not checked here.
 */
function tracingIn(environment: Environment): Settings['tracing'] {
  const text = (variable: string, fallback: string): string => environment[variable] || fallback;
  const isDisabled = text('OTEL_SDK_DISABLED', 'false').toLowerCase() === 'true';
  const endpoint = tracesEndpointIn(environment);
  const serviceName = text('OTEL_SERVICE_NAME', 'signal-ledger');
  const name = text('OTEL_TRACES_SAMPLER', 'parentbased_always_on');
  const ratio = text('OTEL_TRACES_SAMPLER_ARG', '1');
  const sampler = SAMPLERS.find((known) => known === name);
  if (sampler === undefined)
    throw new InvalidSetting('OTEL_TRACES_SAMPLER', `one of ${SAMPLERS.join(', ')}`, name);
  if (isDisabled || endpoint === null) return null;
  for (const variable of ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    const protocol = text(variable, 'http/json');
    if (protocol !== 'http/json') throw new InvalidSetting(variable, 'http/json', protocol);
  }
  if (!/^(0?\.\d+|0|1(\.0+)?)$/.test(ratio))
    throw new InvalidSetting('OTEL_TRACES_SAMPLER_ARG', 'a part of all traces, from 0 to 1', ratio);
  return { endpoint, serviceName, sampler, ratio: Number(ratio) };
}

/** The collector's address for traces, or the one derived from its general address; null without either. */
function tracesEndpointIn(environment: Environment): string | null {
  const [ofTraces, ofAll] = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const;
  const variable = environment[ofTraces] ? ofTraces : ofAll;
  const value = environment[variable] || '';
  if (value === '') return null;
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new InvalidSetting(variable, 'the http or https address of a collector', shownAddress(value));
  return variable === ofTraces ? value : `${value.replace(/\/+$/, '')}/v1/traces`;
}

/** Reads the address of an event store; `name` is the variable or option that it was given as. Throws `InvalidSetting`. */
export function readEventStoreUrl(name: string, value: string): EventStoreUrl {
  if (/^esdb(\+discover)?:\/\/[^/?]/.test(value)) return { kind: 'esdb', url: value };
  if (/^sqlite:./.test(value)) return { kind: 'sqlite', path: resolve(value.slice('sqlite:'.length)) };
  const takes = 'sqlite:<file>, esdb://<host>:<port> or esdb+discover://<host>:<port>';
  throw new InvalidSetting(name, takes, shownAddress(value));
}

/** As `readEventStoreUrl`, of a store of read models, of the observed network or of secrets. */
export function readViewUrl(name: string, value: string): StoreUrl | MongoUrl {
  if (/^sqlite:./.test(value)) return { kind: 'sqlite', path: resolve(value.slice('sqlite:'.length)) };
  if (/^mongodb(\+srv)?:\/\/[^/]+\/[^/?]+(\?.*)?$/.test(value)) return { kind: 'mongodb', url: value };
  throw new InvalidSetting(name, 'sqlite:<file> or mongodb://<host>/<database>', shownAddress(value));
}

function toRole(text: string): Role {
  const role = text.trim();
  if (role === 'api' || role === 'worker') return role;
  throw new InvalidSetting('ROLES', 'api, worker or both, separated by a comma', text);
}
