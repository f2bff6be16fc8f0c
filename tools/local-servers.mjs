// Runs tools/test-servers.mjs (with the same arguments) on servers that this machine can provide without containers: on the
// MongoDB in TEST_READ_STORE_URL if set, else on two servers with its protocol, which are fetched, built and started
// (test/servers): mongo-java-server with Java and Maven, FerretDB with Go. Prints the servers; fails if the toolchain of a
// server exists and the server does not start. The servers end with this process.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(root, 'test/servers');
const cache = join(root, '.cache/test-servers');
const words = process.argv.slice(2);
const START_PATIENCE_MS = 60_000;

const MONGOD = ['mongod', '--port', '{port}', '--dbpath', '{folder}', '--bind_ip', '127.0.0.1'];

const servers = [
  { name: 'MongoDB', needs: ['mongod'], build: () => [...MONGOD] },
  { name: 'mongo-java-server', needs: ['java', 'javac', 'mvn'], build: buildMongoJavaServer },
  // Without indexes it would take hours.
  { name: 'FerretDB', needs: ['go'], build: buildFerretDb, isNeverWhole: true },
];

const failures = [];
let ran = 0;
if (process.env.TEST_READ_STORE_URL || process.env.TEST_EVENT_STORE_URL) {
  ran += 1;
  if (!(await runTests({}))) failures.push('the servers that were named');
} else {
  for (const server of servers) await tryServer(server);
}
if (ran === 0)
  console.log('no server is available here: neither mongod nor Java with Maven nor Go is installed');
for (const failure of failures) console.error(`failed: ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function tryServer({ name, needs, build, isNeverWhole = false }) {
  const missing = needs.filter((program) => !isInstalled(program));
  if (missing.length > 0) {
    console.log(`${name} is not run: ${missing.join(', ')} is not installed`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'test-server-'));
  let child = null;
  try {
    const command = build();
    const port = await freePort();
    const filled = command.map((word) => word.replace('{port}', String(port)).replace('{folder}', folder));
    console.log(`${name} runs on port ${port}`);
    // Its standard input closes when this process ends in any way, and the server ends with it.
    child = spawn(filled[0], filled.slice(1), { stdio: ['pipe', 'ignore', 'ignore'] });
    // MongoDB does not end with its standard input.
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    await listening(child, port);
    ran += 1;
    const settings = {
      TEST_READ_STORE_URL: `mongodb://127.0.0.1:${port}/`,
      TEST_READ_STORE_SERVER: name,
      // For tests that kill and restart their own server.
      TEST_READ_STORE_COMMAND: JSON.stringify(command),
    };
    const asked = isNeverWhole ? words.filter((word) => word !== '--whole') : words;
    if (!(await runTests(settings, asked))) failures.push(`tests on ${name}`);
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    if (child !== null && child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTests(environment, asked = words) {
  const child = spawn(process.execPath, [join(root, 'tools/test-servers.mjs'), ...asked], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const end = () => {
    child.kill('SIGTERM');
    process.exit(1);
  };
  process.once('SIGTERM', end).once('SIGINT', end);
  const [status] = await once(child, 'exit');
  process.off('SIGTERM', end).off('SIGINT', end);
  return status === 0;
}

/** Jars from Maven, checked against the checksums in the repository; our few lines compiled by javac. */
function buildMongoJavaServer() {
  const folder = join(cache, 'mongo-java-server');
  const jars = join(folder, 'jars');
  const own = join(sources, 'mongo-java-server');
  const wanted = readFileSync(join(own, 'jars.sha256'), 'utf8').trim().split('\n');
  const have = () =>
    existsSync(jars)
      ? readdirSync(jars)
          .sort()
          .map(
            (jar) =>
              `${createHash('sha256')
                .update(readFileSync(join(jars, jar)))
                .digest('hex')}  ${jar}`,
          )
      : [];
  if (have().join('\n') !== wanted.join('\n')) {
    rmSync(jars, { recursive: true, force: true });
    mkdirSync(jars, { recursive: true });
    // A copy, because Maven writes next to the file that it reads.
    cpSync(join(own, 'pom.xml'), join(folder, 'pom.xml'));
    run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=jars'], folder);
    const found = new Set(have());
    const wrong = [
      ...wanted.filter((line) => !found.has(line)),
      ...have().filter((line) => !wanted.includes(line)),
    ];
    if (wrong.length > 0)
      throw new Error(`the checksum of a jar differs from that of the repository: ${wrong[0]}`);
  }
  run(
    'javac',
    ['-cp', join(jars, '*'), '-d', join(folder, 'classes'), join(own, 'StartServer.java')],
    folder,
  );
  const classes = [join(jars, '*'), join(folder, 'classes')].join(delimiter);
  return ['java', '-cp', classes, 'StartServer', '{port}'];
}

/** Built from the sources in go.sum; Go caches the build. */
function buildFerretDb() {
  const program = join(cache, 'ferretdb');
  mkdirSync(cache, { recursive: true });
  run('go', ['build', '-o', program, '.'], join(sources, 'ferretdb'));
  return [program, '127.0.0.1:{port}', '{folder}'];
}

function run(program, parameters, folder) {
  execFileSync(program, parameters, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

function isInstalled(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function listening(child, port) {
  for (const endsMs = Date.now() + START_PATIENCE_MS; Date.now() < endsMs; await delay(100)) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} when it was started`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
  }
  throw new Error('it does not listen');
}
