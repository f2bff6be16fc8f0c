import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { detections } from '#projections/signals/detections/detections.projection.js';
import { agentSource } from '#signals/launching/agent-source.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { heldCalls } from '#test/support/held-calls.js';
import {
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const POSTS = 3;
const QUOTE = 'POST /api/v2/workspace/signal-runs/quote';

/** Whether a write of read models contains detections. */
const showsDetections = (method: string, [writes]: readonly unknown[]): boolean =>
  method === 'write' &&
  (writes as Parameters<ReadStore['write']>[0]).some(
    ({ generation, documents }) => generation.view.name === detections.name && documents.length > 0,
  );

describe('QUO-01 a quote while the read models are late', () => {
  const held = heldCalls();
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const service = scene({
    outside: held.outside,
    network: [
      observedCompany('acme'),
      observedPerson('author', employed('acme', 'VP Sales')),
      ...Array.from({ length: POSTS }, (_, at) => observedPost(`post-${at}`, 'author', 'a crm', hourAgo)),
    ],
  });
  const workspace = sharedWorkspace(service);

  it('waits for the detections of the last launch: none of them is new', async () => {
    const agent_id = await keywordAgent(workspace, 'crm');
    const { commands } = service.service.host;
    held.hold(showsDetections);
    expect((await workspace.launch(agent_id)).status).toBe(202);
    await soon('detections to hold', held.reached());
    await soon(
      'the end of the run',
      eventually(async () => {
        const { answer } = await agentSource.look(commands, { workspaceId: workspace.id, id: agent_id });
        return answer.launches.running.length === 0;
      }),
    );
    let isAnswered = false;
    const quoting = workspace.call(QUOTE, { agent_id }).finally(() => (isAnswered = true));
    // If the quote did not wait, it would be answered together with one of these requests.
    for (let asked = 0; asked < 50 && !isAnswered; asked += 1)
      await workspace.call('GET /api/v3/credits/caps');
    expect(isAnswered).toBe(false);
    held.release();
    const quoted: Answer = await quoting;
    expect(quoted).toMatchObject({
      status: 200,
      body: { candidates: POSTS, new: 0, credits_needed: 0, credits_at_most: 0, exact: true },
    });
  });
});
