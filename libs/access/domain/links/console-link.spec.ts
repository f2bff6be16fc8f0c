import { given } from '#kernel/testing/scenario.js';
import {
  consoleLink,
  linkIsOver,
  linkWasOpened,
  makeLink,
  openLink,
  unknownLink,
  withdrawLink,
} from './console-link.js';

const HASH = 'ab'.repeat(32);
const SESSION = 'cd'.repeat(32);
const link = { linkId: 'abababababababab', workspaceId: 1 };
const data = { ...link, hash: HASH, label: 'auditor', expiresAt: '2026-02-01T00:00:00.000Z' };
const made = { type: 'ConsoleLinkMade', data } as const;
const opened = { type: 'ConsoleLinkOpened', data: { ...link, sessionHash: SESSION } } as const;
const withdrawn = { type: 'ConsoleLinkWithdrawn', data: link } as const;
const BEFORE = '2026-01-31T23:59:59.999Z';

describe('CON-02 a read-only link', () => {
  it('is made once', () => {
    given(consoleLink, []).when(makeLink(data)).then([made]);
    given(consoleLink, [made]).when(makeLink(data)).then([]);
  });

  it('is opened once, for one session', () => {
    given(consoleLink, [made])
      .when(openLink(HASH, SESSION, BEFORE))
      .then([opened]);
    given(consoleLink, [made, opened])
      .when(openLink(HASH, 'ef'.repeat(32), BEFORE))
      .then(linkWasOpened());
  });

  it('is not opened with another token of the same beginning, when it has expired, or once withdrawn', () => {
    const other = `${HASH.slice(0, 32)}${'00'.repeat(16)}`;
    given(consoleLink, [made])
      .when(openLink(other, SESSION, BEFORE))
      .then(unknownLink());
    given(consoleLink, [made])
      .when(openLink(HASH, SESSION, data.expiresAt))
      .then(linkIsOver());
    given(consoleLink, [made, withdrawn])
      .when(openLink(HASH, SESSION, BEFORE))
      .then(linkIsOver());
    given(consoleLink, [])
      .when(openLink(HASH, SESSION, BEFORE))
      .then(unknownLink());
  });

  it('is withdrawn once, also after it was opened', () => {
    given(consoleLink, [made, opened]).when(withdrawLink()).then([withdrawn]);
    given(consoleLink, [made, withdrawn]).when(withdrawLink()).then([]);
    given(consoleLink, []).when(withdrawLink()).then(unknownLink());
  });
});
