import { fromStored } from '#kernel/values/credits.js';
import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { releaseExpired } from '#domain/credits/settle-credits.js';
import { fail, signalRun, type SignalRun } from '#domain/signal-runs/signal-run.js';
import {
  creditMovements,
  type CreditMovementDocument,
} from '#projections/credit-movements/credit-movements.projection.js';
import {
  signalRunWork,
  type SignalRunWorkDocument,
} from '#projections/signal-run-work/signal-run-work.projection.js';
import type { Process, ProcessHost } from './process.js';

/** How long a hold may stay without an end (OP-64). */
export const HOLD_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** Holds of one owner that are due: those of one run, or of a workspace's operator commands. */
export type ExpiredHolds = {
  readonly workspaceId: number;
  readonly runId: number | null;
  readonly launchId: number | null;
  readonly movements: readonly CreditMovementDocument[];
};

/** Holds looked at in one go: what one command ends stays far under the size of an append. */
const PAGE = 500;
const RUNS_AT_ONCE = 1_000;

/**
 * Ends holds that got no end for 24 hours. A run that owns them is fenced first: it fails, so that nothing more
 * can be recorded; what it had recorded is captured and the rest given back.
 */
export const releaseExpiredHolds: Process<ExpiredHolds> = {
  name: 'release-expired-holds',

  async due(host, now, limit) {
    const lastDue = new Date(now.getTime() - HOLD_LIFETIME_MS).toISOString();
    const movements = await host.readModels.find<CreditMovementDocument>(creditMovements, {
      where: { status: 'held', createdAt: { lte: lastDue } },
      sort: [
        ['createdAt', 'asc'],
        ['id', 'asc'],
      ],
      limit: PAGE,
    });
    const owners = new Map<string, CreditMovementDocument[]>();
    for (const movement of movements) {
      const owner = `${movement.workspaceId}:${movement.runId ?? 'operator'}`;
      owners.set(owner, [...(owners.get(owner) ?? []), movement]);
    }
    return [...owners.values()].slice(0, limit).flatMap((ofOwner) => {
      const [first] = ofOwner;
      if (first === undefined) return [];
      const { workspaceId, runId, launchId } = first;
      return [{ workspaceId, runId, launchId, movements: ofOwner }];
    });
  },

  async nextDueAt(host, now) {
    const lastDue = new Date(now.getTime() - HOLD_LIFETIME_MS).toISOString();
    const [next] = await host.readModels.find<CreditMovementDocument>(creditMovements, {
      where: { status: 'held', createdAt: { gt: lastDue } },
      sort: [
        ['createdAt', 'asc'],
        ['id', 'asc'],
      ],
      limit: 1,
    });
    return next === undefined ? null : new Date(Date.parse(next.createdAt) + HOLD_LIFETIME_MS);
  },

  key: ({ workspaceId, runId }) => `${workspaceId}:${runId ?? 'operator'}`,

  // A model that stopped would show the same holds as due for ever.
  async waits(host, { workspaceId }) {
    const parked = [creditMovements, signalRunWork].map(({ name }) => host.isParked(name, workspaceId));
    return (await Promise.all(parked)).includes(true);
  },

  async act(host, item) {
    const { workspaceId, movements } = item;
    // Due is the whole instant at which the time is over.
    const heldBefore = new Date(host.clock.now().getTime() - HOLD_LIFETIME_MS + 1).toISOString();
    const recorded = new Set((await fencedRuns(host, item)).flatMap((run) => run.unsettledMovements));
    const movementIds = movements.map(({ id }) => id);
    const decision = releaseExpired({ movementIds, heldBefore, recorded });
    await host.commands.handle(creditAccount, String(workspaceId), decision, {
      context: contextOf(item, `end:${sha256Hex(movementIds.join()).slice(0, 32)}`),
      answer: () => null,
    });
  },
};

/**
 * Fails every run that may still record one of the movements: its owner, and the other direction of the same
 * launch, which shares its charge keys. Gives them as they are behind the fence.
 */
async function fencedRuns(host: ProcessHost, item: ExpiredHolds): Promise<readonly SignalRun[]> {
  const { workspaceId, runId, launchId, movements } = item;
  if (runId === null) return [];
  const underWay = await host.readModels.find<SignalRunWorkDocument>(signalRunWork, {
    where: { workspaceId },
    limit: RUNS_AT_ONCE,
  });
  const siblings = underWay.filter((work) => work.launchId === launchId).map((work) => work.runId);
  const runIds = [...new Set([runId, ...siblings])];
  // All charges of a launch have one price.
  const unitPrice = fromStored(movements[0]?.credits ?? '0');
  return Promise.all(
    runIds.map(async (id) => {
      const stream = workspaceScoped(workspaceId, id);
      const run = await host.commands.load(signalRun, stream);
      // The other direction may not have begun: then it has recorded nothing and may still run.
      if (run.stage === 'new') return run;
      const handled = await host.commands.handle(
        signalRun,
        stream,
        fail(unitPrice, 'a hold got no end for 24 hours'),
        {
          context: contextOf(item, `fence:${id}`),
          answer: (state) => state,
          waitForReadModels: false,
        },
      );
      return handled.answer;
    }),
  );
}

function contextOf({ workspaceId, movements }: ExpiredHolds, step: string): CommandContext {
  const oldest = movements[0]?.id ?? 0;
  return {
    commandId: `expire:${workspaceId}:${oldest}:${step}`,
    actor: { kind: 'process', id: releaseExpiredHolds.name },
    workspaceId,
    correlationId: `expire:${workspaceId}:${oldest}`,
  };
}
