import { NDJSON, type Answer, type TestService, type TestWorkspace } from './service.js';

/** Files for imports of openings; a test names only the relevant fields. */

type Line = { readonly [member: string]: unknown };

/** A file whose closing matches its lines; `replaced` replaces members of the closing. */
export function openingFile(lines: readonly Line[], replaced: Line = {}): string {
  const of = (...kinds: readonly string[]): readonly Line[] =>
    lines.filter(({ kind }) => kinds.includes(String(kind)));
  const micros = of('lot').reduce((sum, { credits }) => sum + Math.round(Number(credits) * 1e6), 0);
  const closing = {
    kind: 'closing',
    format: 1,
    system: 'old billing',
    closed_at: '2026-01-04T23:59:59Z',
    credits: String(micros / 1e6),
    lots: of('lot').length,
    paid: of('paid', 'paid_month').length,
    ...replaced,
  };
  return `${[closing, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/** Sends a file to `credits.import`. */
export function importFile(
  { ops }: TestService,
  workspaceId: number | null,
  file: string,
  mode: 'check' | 'dry_run' | 'commit' = 'commit',
  more: { readonly [parameter: string]: string } = {},
): Promise<Answer> {
  const query = new URLSearchParams({
    ...(workspaceId === null ? {} : { workspace_id: String(workspaceId) }),
    mode,
    ...more,
  });
  return ops(`credits.import?${query}`, file, NDJSON);
}

/** A workspace without a movement. */
export const freshWorkspace = (service: TestService, options: object = {}): Promise<TestWorkspace> =>
  service.workspace({ credits: undefined, ...options });
