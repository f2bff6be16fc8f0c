import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { scene } from '#test/support/scene.js';
import type { TestWorkspace } from '#test/support/service.js';

const MEBIBYTE = 1024 * 1024;
const OF_A_KEY = 32;
const KEYS = 4;
/** The headers of a body and its first byte. */
const OF_A_MEBIBYTE = `Content-Length: ${MEBIBYTE}\r\n\r\n{`;
const IN_PIECES = 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n';

describe('OP-73 incomplete bodies', () => {
  const sockets: Socket[] = [];
  // Registered first, so that the sockets are closed before the service stops.
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
  });
  const service = scene();

  /** A request whose body is announced and not sent; resolves with the answer, if any. */
  async function announce({ apiKey }: TestWorkspace, body = OF_A_MEBIBYTE): Promise<() => Promise<string>> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    await once(socket, 'connect');
    socket.write(
      `POST /api/v2/lists HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${apiKey}\r\n` +
        `Content-Type: application/json\r\n${body}`,
    );
    return async () => {
      while (!answer.includes('\r\n\r\n')) await once(socket, 'data');
      return answer;
    };
  }
  const post = (workspace: TestWorkspace) =>
    workspace.call('POST /api/v2/lists', { type: 'competitor', name: 'Rivals' });
  /** Sockets are handled in no fixed order, so it asks until the status is as expected. */
  async function until(workspace: TestWorkspace, status: number): Promise<void> {
    while ((await post(workspace)).status !== status);
  }

  it('have a budget per key and in total, and a body that does not fit is refused before it is read', async () => {
    const workspaces: TestWorkspace[] = [];
    for (let key = 0; key < KEYS; key += 1) workspaces.push(await service.workspace());
    const [first, second] = workspaces;
    const last = await service.workspace();
    if (first === undefined || second === undefined) throw new Error('there are four');
    for (let body = 0; body < OF_A_KEY; body += 1) await announce(first);
    await until(first, 503);
    const refused = await (await announce(first))();
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused.toLowerCase()).toContain('\r\nretry-after: 1\r\n');
    // Without a body nothing is reserved, and other keys have a budget of their own.
    expect((await first.call('GET /api/v2/lists')).status).toBe(200);
    expect((await post(second)).status).toBe(201);

    for (const workspace of workspaces.slice(1)) {
      for (let body = 0; body < OF_A_KEY; body += 1) await announce(workspace, IN_PIECES);
    }
    await until(last, 503);
    expect((await last.call('GET /api/v2/lists')).status).toBe(200);

    for (const socket of sockets.splice(0)) socket.destroy();
    for (const workspace of [...workspaces, last]) await until(workspace, 201);
  });
});
