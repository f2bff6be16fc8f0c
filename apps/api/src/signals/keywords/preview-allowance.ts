import { DAY_MS, MINUTE_MS } from '#kernel/values/durations.js';
import { RequestRefused } from '#http/problem.js';
import type { ApiPorts } from '../../ports.js';

/** The limits of previews per minute and per day, in UTC; the longest wait comes first. */
const WINDOWS = [
  { name: 'day', lengthMs: DAY_MS, most: 500 },
  { name: 'minute', lengthMs: MINUTE_MS, most: 60 },
] as const;
type WindowName = (typeof WINDOWS)[number]['name'];

/** The previews of a workspace in the current window (start as Unix ms), by the name of the window. */
type Made = { readonly [name in WindowName]: { readonly from: number; readonly count: number } };

const KIND = 'previews-made';
const PATIENCE_MS = 5_000;

type Ports = Pick<ApiPorts, 'clock' | 'locks'>;

/**
 * Counts a preview, or refuses it with 429; a refused preview is not counted. Limits the previews of a workspace across
 * all processes (QUO-03): one record per workspace holds the counts, and only one request at a time changes it.
 */
export async function takePreview(ports: Ports, workspaceId: number): Promise<void> {
  const take = () => count(ports, workspaceId);
  const done = await ports.locks.alone(`previews:${workspaceId}`, take, PATIENCE_MS);
  if (done === null) throw crowded();
}

async function count({ clock, locks }: Ports, workspaceId: number): Promise<void> {
  const { notes } = locks;
  const now = clock.now().getTime();
  const kept = await notes.getRecord<Made>(KIND, String(workspaceId));
  const made = (name: WindowName, from: number): number => {
    const window = kept?.[name];
    return window?.from === from ? window.count : 0;
  };
  const counted = WINDOWS.map(({ name, lengthMs, most }) => {
    const from = now - (now % lengthMs);
    const before = made(name, from);
    if (before >= most) throw usedUp(name, most, Math.ceil((from + lengthMs - now) / 1_000));
    return [name, { from, count: before + 1 }] as const;
  });
  await notes.putRecord(KIND, String(workspaceId), Object.fromEntries(counted));
}

const usedUp = (name: WindowName, most: number, retryAfter: number): Error =>
  new RequestRefused({
    status: 429,
    detail: `A workspace has ${most} previews a ${name}: try again in ${retryAfter} s.`,
    headers: { 'Retry-After': String(retryAfter) },
  });

const crowded = (): Error =>
  new RequestRefused({
    status: 429,
    detail: 'Too many previews of the workspace begin at once: try again in 1 s.',
    headers: { 'Retry-After': '1' },
  });
