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

/** Rebuilds everything on an engine that rebuilds one at a time as `rebuild` says. */
function rebuildAll(rebuild: (name: string, options: RebuildOptions) => Promise<RebuildOutcome>) {
  const projections = {
    rebuildsAtOnce: 1,
    status: async () => NAMES.map((name) => ({ name })),
    rebuild,
  };
  const host = { projections, isAlone: true } as unknown as OperatorHost;
  return projectionsRebuild.run(host, {}, context, () => undefined);
}

const filled = ({ onProgress }: RebuildOptions): void =>
  onProgress?.({ phase: 'swapping', events: 1, eventsPerSecond: 1, etaSeconds: 0, position: '', head: '' });
const live: RebuildOutcome = { outcome: 'live', generation: 2, previous: 1 };

describe('projections.rebuild of everything', () => {
  it('goes on with the next one while those that are filled wait to be swapped in', async () => {
    const begun: string[] = [];
    let swapAll = (): void => undefined;
    const swapped = new Promise<void>((resolve) => (swapAll = resolve));
    const answer = await rebuildAll(async (name, options) => {
      begun.push(name);
      filled(options);
      // the leader of another process looks now and then, and takes all that there is
      if (begun.length === NAMES.length) swapAll();
      await swapped;
      return live;
    });
    expect(answer).toMatchObject({ ok: true, rebuilt: NAMES.map((name) => ({ name, outcome: 'live' })) });
  });

  it('begins none before the one before it is filled', async () => {
    let filling = 0;
    await rebuildAll(async (_name, options) => {
      filling += 1;
      expect(filling).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      filling -= 1;
      filled(options);
      return live;
    });
  });

  it('begins no other one after a cancelled or a failed one, and tells what went wrong', async () => {
    const begun: string[] = [];
    const answer = await rebuildAll(async (name) => {
      begun.push(name);
      return { outcome: 'cancelled', generation: 2 };
    });
    expect([answer, begun]).toMatchObject([{ ok: false, rebuilt: [{ outcome: 'cancelled' }] }, ['first']]);
    const failed = rebuildAll(async (name) => {
      begun.push(name);
      throw new Error('gone');
    });
    await expect(failed).rejects.toThrow('gone');
    expect(begun).toEqual(['first', 'first']);
  });
});
