import type { RebuildOptions } from '#projection-engine/rebuild-work.js';
import type { RebuildOutcome } from '#projection-engine/swap-in.js';
import type { OperatorHost } from '../support/operator-command.js';
import { projectionsRebuild } from './projections-rebuild.js';

const NAMES = ['first', 'second', 'third'];
const context = {
  commandId: 'rebuild',
  actor: { kind: 'operator', id: 'operator' },
  workspaceId: null,
  correlationId: 'rebuild',
} as const;

/** Rebuilds all read models on an engine with this `rebuild`. */
function rebuildAll(rebuild: (name: string, options: RebuildOptions) => Promise<RebuildOutcome>) {
  const projections = {
    rebuildTogether: (count: number) => {
      expect(count).toBe(NAMES.length);
      return rebuild;
    },
    names: NAMES,
  };
  const host = { projections, isAlone: true } as unknown as OperatorHost;
  return projectionsRebuild.run(host, {}, context, () => undefined);
}

const live: RebuildOutcome = { outcome: 'live', generation: 2, previous: 1 };

describe('projections.rebuild of all read models', () => {
  it('starts all rebuilds before the first ends, so that history is read once', async () => {
    const begun: string[] = [];
    let fill = (): void => undefined;
    const filled = new Promise<void>((resolve) => (fill = resolve));
    const answer = await rebuildAll(async (name) => {
      begun.push(name);
      if (begun.length === NAMES.length) fill();
      await filled;
      return live;
    });
    expect(answer).toMatchObject({ ok: true, rebuilt: NAMES.map((name) => ({ name, outcome: 'live' })) });
  });

  it('reports the cancelled read models', async () => {
    const answer = await rebuildAll(async (name) =>
      name === 'second' ? { outcome: 'cancelled', generation: 2 } : live,
    );
    expect(answer).toMatchObject({
      ok: false,
      rebuilt: [{ outcome: 'live' }, { outcome: 'cancelled' }, { outcome: 'live' }],
    });
  });

  it('reports a failure after the other rebuilds have ended', async () => {
    let ended = 0;
    const failed = rebuildAll(async (name) => {
      if (name === 'first') throw new Error('gone');
      await new Promise((resolve) => setImmediate(resolve));
      ended += 1;
      return live;
    });
    await expect(failed).rejects.toThrow('gone');
    expect(ended).toBe(2);
  });
});
