import { ownedBy } from '#kernel/values/owned-by.js';
import type { SignalsOfCharges } from '#ledger/answers/signals-of-charges.js';
import { detectionKey, detections } from '#projections/signals/detections/detections.projection.js';
import { templateKeysOf } from '#projections/signals/signal-setups/template-keys.js';

export const signalsOfCharges: SignalsOfCharges = {
  templateKeysOf,
  movementOfSignal: async (readModels, workspaceId, signalId) => {
    const signal = await readModels.get(detections, detectionKey(signalId));
    return ownedBy(workspaceId, signal)?.movementId ?? null;
  },
};
