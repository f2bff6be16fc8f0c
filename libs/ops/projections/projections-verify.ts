import { Type } from '#kernel/values/schema.js';
import { OPERATOR_PACE } from '#projection-engine/projection-engine.js';
import { operatorCommand } from '../support/operator-command.js';
import { barsOf, chosenProjections, orRefused, OptionalProjectionName } from '../support/projection-host.js';

export const projectionsVerify = operatorCommand({
  name: 'projections.verify',
  summary: 'Replay read models beside the live ones and show the first document and event that differ',
  input: Type.Object({ name: OptionalProjectionName }),
  output: Type.Object({
    ok: Type.Boolean(),
    verified: Type.Array(
      Type.Object({
        name: Type.String(),
        ok: Type.Boolean(),
        events: Type.Integer(),
        documents: Type.Integer(),
        differing: Type.Integer(),
        unsettled: Type.Integer(),
        live_checksum: Type.String(),
        replayed_checksum: Type.String(),
        first_difference: Type.Unknown(),
      }),
    ),
  }),
  async run(host, { name }, _context, onProgress) {
    const verified = [];
    for (const one of chosenProjections(host, name)) {
      const found = await orRefused(
        host.projections.verify(one, {
          ...(host.isAlone ? { pace: OPERATOR_PACE } : {}),
          onProgress: barsOf([one], onProgress)(one),
        }),
      );
      verified.push({
        name: one,
        ok: found.ok,
        events: found.events,
        documents: found.documents,
        differing: found.differing,
        unsettled: found.unsettled,
        live_checksum: found.liveChecksum,
        replayed_checksum: found.replayedChecksum,
        first_difference: found.first,
      });
    }
    return { ok: verified.every(({ ok }) => ok), verified };
  },
});
