import { InvalidSetting, readSettings } from '#runtime/settings.js';

describe('settings', () => {
  it('OP-05 limit the rate by default; 0 in either turns it off', () => {
    expect(readSettings({}).rateLimit).toEqual({ requestsPerSecond: 200, burst: 1000 });
    expect(readSettings({ RATE_LIMIT_RPS: '5', RATE_LIMIT_BURST: '9' }).rateLimit).toEqual({
      requestsPerSecond: 5,
      burst: 9,
    });
    expect(readSettings({ RATE_LIMIT_RPS: '0' }).rateLimit).toBeNull();
    expect(readSettings({ RATE_LIMIT_BURST: '0' }).rateLimit).toBeNull();
  });

  it('OP-65 OP-68 parse origins, hosts and dates', () => {
    const origins = 'https://app.example.test, http://localhost:5173';
    const { corsOrigins, sunsetDate } = readSettings({ CORS_ORIGINS: origins, SUNSET_DATE: '2027-06-30' });
    expect(corsOrigins).toEqual(['https://app.example.test', 'http://localhost:5173']);
    expect(sunsetDate).toBe('2027-06-30');
    expect(readSettings({ CORS_ORIGINS: '', SUNSET_DATE: '' })).toMatchObject({
      corsOrigins: [],
      sunsetDate: null,
    });
    for (const HOST of ['0.0.0.0', '::', '::1', 'localhost', 'api.internal', 'node-1'])
      expect(readSettings({ HOST }).host).toBe(HOST);
  });

  it('SRC-09 allow special-purpose addresses by networks, never by names', () => {
    expect(readSettings({}).outboundAllowed).toEqual([]);
    expect(readSettings({ OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8, fd00::/8' }).outboundAllowed).toHaveLength(2);
    for (const OUTBOUND_ALLOW_CIDRS of ['localhost', '127.0.0.1', '10.0.0.0/40'])
      expect(() => readSettings({ OUTBOUND_ALLOW_CIDRS })).toThrow(/^OUTBOUND_ALLOW_CIDRS takes networks/);
  });

  it('D-83 use the service itself, or the endpoint and model that they name together', () => {
    const RESEARCH_URL = 'https://models.example.test/v1/chat/completions?version=1';
    expect(readSettings({ RESEARCH_URL, RESEARCH_MODEL: 'small-1' }).research).toEqual({
      url: RESEARCH_URL,
      model: 'small-1',
      key: null,
    });
    expect(readSettings({ RESEARCH_URL, RESEARCH_MODEL: 'small-1', RESEARCH_KEY: 'k' }).research?.key).toBe(
      'k',
    );
  });

  it('D-83 refuse an endpoint without model, a model without endpoint, and invalid values, in one line without the key', () => {
    const RESEARCH_URL = 'https://models.example.test/v1/chat/completions';
    for (const [named, environment] of [
      ['RESEARCH_URL', { RESEARCH_KEY: 'of nobody' }],
      ['RESEARCH_MODEL', { RESEARCH_URL }],
      ['RESEARCH_URL', { RESEARCH_MODEL: 'small-1' }],
      ['RESEARCH_URL', { RESEARCH_MODEL: 'small-1', RESEARCH_URL: 'models.example.test' }],
      ['RESEARCH_URL', { RESEARCH_MODEL: 'small-1', RESEARCH_URL: 'ftp://models.example.test' }],
      ['RESEARCH_URL', { RESEARCH_MODEL: 'small-1', RESEARCH_URL: 'https://me:secret@models.example.test' }],
      ['RESEARCH_KEY', { RESEARCH_MODEL: 'small-1', RESEARCH_URL, RESEARCH_KEY: 'secret\nkey' }],
      ['RESEARCH_KEY', { RESEARCH_MODEL: 'small-1', RESEARCH_URL, RESEARCH_KEY: 'secret key' }],
    ] as const) {
      const reading = () => readSettings(environment);
      expect(reading).toThrow(InvalidSetting);
      expect(reading).toThrow(new RegExp(`^${named} takes (?!.*secret)[^\\n]+$`));
    }
  });

  it('trace nothing unless a collector is named, by its general address or by the one for traces', () => {
    expect(readSettings({ OTEL_SERVICE_NAME: 'api' }).tracing).toBeNull();
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/';
    expect(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing).toEqual({
      endpoint: 'http://collector:4318/v1/traces',
      serviceName: 'signal-ledger',
      sampler: 'parentbased_always_on',
      ratio: 1,
    });
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'https://traces.example.test/take';
    expect(
      readSettings({
        OTEL_EXPORTER_OTLP_ENDPOINT,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
        OTEL_SERVICE_NAME: 'api',
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      }).tracing,
    ).toEqual({
      endpoint: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
      serviceName: 'api',
      sampler: 'parentbased_traceidratio',
      ratio: 0.25,
    });
    expect(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' }).tracing).toBeNull();
  });

  it('refuse a collector, a protocol and a sampler that they do not know, in one line without a password', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318';
    for (const [named, environment] of [
      ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://me:secret@collector:4317' }],
      ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector:4318' }],
      ['OTEL_EXPORTER_OTLP_PROTOCOL', { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
      ['OTEL_TRACES_SAMPLER', { OTEL_TRACES_SAMPLER: 'no such' }],
      ['OTEL_TRACES_SAMPLER', { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER: 'sometimes' }],
      ['OTEL_TRACES_SAMPLER_ARG', { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '2' }],
    ] as const) {
      const reading = () => readSettings(environment);
      expect(reading).toThrow(InvalidSetting);
      expect(reading).toThrow(new RegExp(`^${named} takes (?!.*secret)[^\\n]+$`));
    }
  });

  it('OPS admit operators when port and token are set together, on the loopback interface by default', () => {
    const [OPS_PORT, OPS_TOKEN] = ['3001', 'sixteen letters!'];
    expect(readSettings({}).ops).toBeNull();
    expect(readSettings({ OPS_PORT, OPS_TOKEN }).ops).toEqual({
      host: '127.0.0.1',
      port: 3001,
      token: OPS_TOKEN,
    });
    expect(readSettings({ OPS_PORT, OPS_TOKEN, OPS_HOST: '0.0.0.0' }).ops?.host).toBe('0.0.0.0');
  });

  it('refuse a port for operators without token, a token without port, and secrets that are short, in one line that shows none', () => {
    for (const [named, environment] of [
      ['OPS_TOKEN', { OPS_PORT: '3001' }],
      ['OPS_PORT', { OPS_TOKEN: 'secret but long enough' }],
      ['OPS_TOKEN', { OPS_PORT: '3001', OPS_TOKEN: 'secret: 15 long' }],
      ['CURSOR_SECRET', { CURSOR_SECRET: 'secret: 15 long' }],
      ['OPS_HOST', { OPS_PORT: '3001', OPS_TOKEN: 'long enough to be one', OPS_HOST: 'http://here' }],
    ] as const) {
      const reading = () => readSettings(environment);
      expect(reading).toThrow(InvalidSetting);
      expect(reading).toThrow(new RegExp(`^${named} takes (?!.*secret:)[^\\n]+$`));
    }
  });

  it('refuse a token for operators that no request can send as a bearer token, in one line that does not show it', () => {
    for (const OPS_TOKEN of [
      'from a file, long enough\n',
      ' long enough to be one',
      'schön und lang genug',
    ]) {
      const reading = () => readSettings({ OPS_PORT: '3001', OPS_TOKEN });
      expect(reading).toThrow(InvalidSetting);
      expect(reading).toThrow(/^OPS_TOKEN takes (?!.*(enough|genug))[^\n]+$/);
    }
  });

  it('are all checked: one error names every wrong one, a line each, and no correct one', () => {
    const wrong = {
      PORT: 'web',
      CLOCK: 'manual',
      OPS_PORT: '9000',
      OPS_TOKEN: 'short',
      RESEARCH_KEY: 'of nobody',
      EVENT_STORE_URL: 'esdb://127.0.0.1:2113',
      LOG_LEVEL: 'loud',
      ROLES: 'api,watcher',
    };
    const message = (() => {
      try {
        readSettings(wrong);
      } catch (error) {
        return error instanceof InvalidSetting ? error.message : String(error);
      }
      return '';
    })();
    const named = message.split('\n').map((line) => /^([A-Z_]+) takes /.exec(line)?.[1]);
    expect(named.sort()).toEqual([
      'CURSOR_SECRET',
      'LOG_LEVEL',
      'OPS_TOKEN',
      'PORT',
      'RESEARCH_URL',
      'ROLES',
    ]);
    expect(message).not.toMatch(/short|of nobody/);
  });

  it('trust no forwarded client address, or only the proxies of these networks', () => {
    expect(readSettings({}).trustedProxies).toEqual([]);
    expect(readSettings({ TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,fd00::/8' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      '192.0.2.7',
      'fd00::/8',
    ]);
  });

  const wrong: { readonly [variable: string]: readonly string[] } = {
    CORS_ORIGINS: [
      '*',
      'app.example.test',
      'https://app.example.test/',
      'https://app.example.test/path',
      'https://APP.example.test',
      'https://user@app.example.test',
      'https://app.example.test:443',
      'ftp://app.example.test',
      'https://a.test;https://b.test',
      'null',
    ],
    DOCS_URL: [
      'docs.example.test',
      'ftp://docs.example.test',
      'https://docs.test/?page=',
      'https://docs.test/#to',
    ],
    NETWORK_BASE_URL: ['network', 'https://network.test/?a=1', 'https://network.test#a'],
    DEPRECATED_SINCE: ['soon', '2026', '2026-02-30', '2026-06-30T00:00:00Z'],
    SUNSET_DATE: ['soon', '2027', '2027-02-30', '30.06.2027', '2027-06-30T00:00:00Z', '1', 'June 30, 2027'],
    HOST: ['http://localhost', 'localhost:3000', '1.2.3', '256.1.1.1', 'a b', '-a', 'a..b', '[::1]'],
    RATE_LIMIT_RPS: ['-1', '1.5', 'many', '1e3', ' 1', '0x10', '9999999'],
    RATE_LIMIT_BURST: ['-1', '1.5', 'off', '٣'],
    MONITORING_PASS: ['yes', 'ON', '1'],
    TRUSTED_PROXIES: [
      'proxy.internal',
      '10.0.0.0/33',
      '10.0.0/8',
      '10.0.0.0/',
      '10.0.0.1:8080',
      'fd00::/129',
      '[fd00::1]',
      'fe80::1%eth0',
      '10.0.0.0/8;10.1.0.0/16',
      '10.0.0.0/8, *',
      'true',
    ],
  };
  for (const [variable, values] of Object.entries(wrong)) {
    it(`refuse an invalid ${variable}, in one line that names it`, () => {
      for (const value of values) {
        const reading = () => readSettings({ [variable]: value });
        expect(reading).toThrow(InvalidSetting);
        expect(reading).toThrow(new RegExp(`^${variable} takes [^\\n]+$`));
      }
    });
  }
});
