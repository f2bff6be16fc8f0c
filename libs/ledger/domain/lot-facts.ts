import type { CreditPayloads } from './credits.events.js';

/**
 * Until when a lot can be spent (null: for ever), its priority in the order of spending, and whether it is
 * promotional.
 */
export type LotTerms = {
  readonly expiresAt: string | null;
  readonly priority: number;
  readonly promotional: boolean;
};

/** The terms of a lot as an entry carries them. */
export function termsOf(
  granted: Pick<CreditPayloads['LotGranted'], 'expiresAt' | 'priority' | 'promotional'>,
): LotTerms {
  const { expiresAt = null, priority, promotional } = granted;
  return { expiresAt, priority, promotional };
}
