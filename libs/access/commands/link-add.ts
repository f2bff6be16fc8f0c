import { fieldError } from '#kernel/values/refusal.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { Id, Timestamp, Type } from '#kernel/values/schema.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { consoleLink, consoleLinkStreamId, makeLink } from '#access/domain/links/console-link.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, visibleText, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { readInstant } from '#ops/support/read-instant.js';
import { newSecret } from './new-secret.js';

const DAYS = 7;
const MOST_DAYS = 92;
const ID_DIGITS = 16;

export const linkAdd = operatorCommand({
  name: 'link.add',
  summary: 'Create a read-only link to the pages of one workspace; it can be opened once and is shown once',
  input: Type.Object({
    workspace_id: WorkspaceId,
    label: described('who the link is for', visibleText(100)),
    expires_at: Type.Optional(
      described(
        `date or timestamp of its end, at most ${MOST_DAYS} days from now; default: in ${DAYS} days`,
        Type.String(),
      ),
    ),
  }),
  output: Type.Object({
    link_id: Type.String(),
    workspace_id: Id,
    /** To be appended to the address of the private listener. */
    path: Type.String(),
    expires_at: Timestamp,
  }),
  async run(host, { workspace_id: workspaceId, label, expires_at: given }, context) {
    await host.requireWorkspace(workspaceId);
    const nowMs = host.clock.now().getTime();
    const expiresAt =
      given === undefined ? new Date(nowMs + DAYS * DAY_MS).toISOString() : readInstant(given, 'expires_at');
    const expiresMs = Date.parse(expiresAt);
    if (expiresMs <= nowMs || expiresMs > nowMs + MOST_DAYS * DAY_MS) {
      const fault = `must lie in the future, at most ${MOST_DAYS} days from now`;
      throw invalidInput({ errors: fieldError('expires_at', fault) });
    }
    const token = `link_${newSecret()}`;
    const hash = sha256Hex(token);
    const linkId = hash.slice(0, ID_DIGITS);
    const decision = makeLink({ linkId, workspaceId, hash, label, expiresAt });
    await host.commands.handle(consoleLink, consoleLinkStreamId(hash), decision, { context });
    return {
      link_id: linkId,
      workspace_id: workspaceId,
      path: `/console/links/${token}`,
      expires_at: expiresAt,
    };
  },
});
