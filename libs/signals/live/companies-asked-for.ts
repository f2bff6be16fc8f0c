import type { ProcessHost } from '#process-engine/process.js';
import type { StandingQuestion } from './standing-questions.js';

/** Changes of coverage and new companies of the network take effect after at most this long, in real time. */
const KEPT_MS = 20_000;

type Host = Pick<ProcessHost, 'coverage' | 'topAccounts' | 'clock'>;
type Kept = { readonly untilMs: number; readonly refs: Promise<ReadonlySet<string>> };

/** Questions with the same key are about the same companies; null: any company. */
export function companiesKey({ workspaceId, about }: StandingQuestion): string | null {
  if (about === 'anybody') return null;
  return about === 'top_accounts' ? `${workspaceId}` : `${workspaceId}:${about.covered}`;
}

export type CompaniesAskedFor = ReturnType<typeof companiesAskedFor>;

/** The companies of standing questions, cached for a while. */
export function companiesAskedFor(host: Host) {
  const kept = new Map<string, Kept>();

  const look = async ({ workspaceId, about }: StandingQuestion): Promise<ReadonlySet<string>> => {
    if (about === 'anybody') return new Set();
    if (about === 'top_accounts') return new Set(await host.topAccounts.refs(workspaceId));
    const at = host.clock.now();
    return new Set(await host.coverage.coveredAccounts({ workspaceId, personaId: about.covered, at }));
  };

  return {
    /** By `companiesKey`; null: any company. Questions with the same key share one look-up. */
    async of(questions: Iterable<StandingQuestion>): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
      const now = Date.now();
      for (const [key, { untilMs }] of kept) if (untilMs <= now) kept.delete(key);
      const wanted = new Map<string, Promise<ReadonlySet<string>>>();
      for (const question of questions) {
        const key = companiesKey(question);
        if (key === null || wanted.has(key)) continue;
        const refs = kept.get(key)?.refs ?? look(question);
        kept.set(key, kept.get(key) ?? { untilMs: now + KEPT_MS, refs });
        wanted.set(key, refs);
      }
      try {
        return new Map(await Promise.all([...wanted].map(async ([key, refs]) => [key, await refs] as const)));
      } catch (error) {
        kept.clear();
        throw error;
      }
    },
    forget: (): void => kept.clear(),
  };
}
