import { decider, type Decision } from '#kernel/commands/decider.js';
import { refusal } from '#kernel/values/refusal.js';
import { consoleLinkEvents, type ConsoleLinkEvents } from './console-link.events.js';

export type ConsoleLink =
  | { readonly status: 'unknown' }
  | (ConsoleLinkEvents['ConsoleLinkMade'] & {
      readonly status: 'made' | 'opened' | 'withdrawn';
      /** Null before it is opened. */
      readonly sessionHash: string | null;
    });

/** A read-only link to the console; stream `consoleLink-<the first 32 hex digits of the token's SHA-256>`. */
export const consoleLink = decider<ConsoleLink>()({
  category: 'consoleLink',
  // Its streams are named after tokens: the workspace is known from the events alone.
  scope: ({ data }) => data.workspaceId,
  strict: true,
  vocabulary: consoleLinkEvents,
  initial: () => ({ status: 'unknown' }),
  on: {
    ConsoleLinkMade: (_, { data }) => ({ ...data, status: 'made', sessionHash: null }),
    ConsoleLinkOpened: (state, { data: { sessionHash } }) =>
      state.status === 'unknown' ? state : { ...state, status: 'opened', sessionHash },
    ConsoleLinkWithdrawn: (state) => (state.status === 'unknown' ? state : { ...state, status: 'withdrawn' }),
  },
});

export const consoleLinkStreamId = (hash: string): string => hash.slice(0, 32);

export const unknownLink = refusal({
  code: 'unknown-link',
  kind: 'missing',
  detail: 'There is no such link.',
});

export const linkIsOver = refusal({
  code: 'link-is-over',
  kind: 'gone',
  detail: 'This link has expired or was withdrawn. Ask for a new one.',
});

export const linkWasOpened = refusal({
  code: 'link-was-opened',
  kind: 'gone',
  detail:
    'This link was opened before, and opens once. If that was not you, have it withdrawn and ask for a new one.',
});

type LinkDecision = Decision<ConsoleLink, typeof consoleLinkEvents>;

export const makeLink =
  (made: ConsoleLinkEvents['ConsoleLinkMade']): LinkDecision =>
  (state) =>
    state.status === 'unknown' ? [{ type: 'ConsoleLinkMade', data: made }] : [];

/** Exchanges the token, whose whole hash is given, for one session. */
export const openLink =
  (hash: string, sessionHash: string, now: string): LinkDecision =>
  (state) => {
    // The name of the stream has only half of the hash, so the whole hash is compared.
    if (state.status === 'unknown' || state.hash !== hash) throw unknownLink();
    if (state.status === 'withdrawn' || state.expiresAt <= now) throw linkIsOver();
    if (state.status === 'opened') throw linkWasOpened();
    const { linkId, workspaceId } = state;
    return [{ type: 'ConsoleLinkOpened', data: { linkId, workspaceId, sessionHash } }];
  };

export const withdrawLink = (): LinkDecision => (state) => {
  if (state.status === 'unknown') throw unknownLink();
  if (state.status === 'withdrawn') return [];
  const { linkId, workspaceId } = state;
  return [{ type: 'ConsoleLinkWithdrawn', data: { linkId, workspaceId } }];
};
