import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { percentile, throughput } from './bench.js';

export type ClientReport = {
  readonly holdsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly captured: number;
  /** The number of captures in each workspace, in the order of the workspaces. */
  readonly capturedIn: readonly number[];
  readonly mismatches: number;
};

const { OPS_URL = '', TOKEN = '', WORKSPACES = '', CLIENTS = '50', HOLDS = '10000' } = process.env;
const workspaceIds = WORKSPACES.split(',').map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: Number(CLIENTS) });

type Movement = { readonly movement_id: number; readonly status: string };

function operator(command: string, input: object): Promise<Movement> {
  const body = JSON.stringify(input);
  return new Promise((resolve, reject) => {
    const call = request(
      `${OPS_URL}/ops/${command}`,
      {
        method: 'POST',
        agent,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`${command}: ${response.statusCode} ${text}`));
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

// A workspace may get requests from several of these processes, and no key may repeat.
const keyPrefix = randomUUID();
const capturedIn = workspaceIds.map(() => 0);
let mismatches = 0;
const times: number[] = [];
const seen = new Set<number>();

/**
 * One hold, then its capture or, for every fourth of a workspace, its release; every answer is compared with the
 * expected one. The workspaces take turns.
 */
async function holdAndSettle(call: number): Promise<void> {
  const turn = call % workspaceIds.length;
  const workspaceId = workspaceIds[turn];
  const startedAt = performance.now();
  const held = await operator('credits.hold', {
    workspace_id: workspaceId,
    key: `${keyPrefix}:${call}`,
    credits: 1,
    product: 'bench',
  });
  times.push(performance.now() - startedAt);
  const ending = Math.floor(call / workspaceIds.length) % 4 === 3 ? 'release' : 'capture';
  const ended = await operator(`credits.${ending}`, {
    workspace_id: workspaceId,
    movement_id: held.movement_id,
  });
  if (
    held.status !== 'held' ||
    seen.has(held.movement_id) ||
    ended.movement_id !== held.movement_id ||
    ended.status !== `${ending}d`
  ) {
    mismatches += 1;
  }
  seen.add(held.movement_id);
  if (ending === 'capture') capturedIn[turn] = (capturedIn[turn] ?? 0) + 1;
}

const holds = Number(HOLDS);
// The first calls warm the service up; the numbers continue so that no key repeats.
await throughput(Number(CLIENTS), Math.ceil(holds / 10), (call) => holdAndSettle(holds + call));
times.length = 0;
const holdsPerSecond = await throughput(Number(CLIENTS), holds, holdAndSettle);
const report: ClientReport = {
  holdsPerSecond,
  p50Ms: percentile(times, 0.5),
  p99Ms: percentile(times, 0.99),
  captured: capturedIn.reduce((sum, each) => sum + each, 0),
  capturedIn,
  mismatches,
};
process.send?.(report, () => process.exit(0));
