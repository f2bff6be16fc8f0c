import type { ApiKeyDirectory } from '#kernel/values/api-key.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { evolve, streamName } from '#kernel/commands/decider.js';
import { apiKey, apiKeyStreamId } from './domain/api-keys/api-key.js';

/** Looks keys up in the event store itself, so that authentication works while the read store is down. */
export function apiKeyDirectory(eventStore: Pick<EventStore, 'readStream'>): ApiKeyDirectory {
  return {
    async find(keyHash) {
      let state = apiKey.initial();
      for await (const batch of eventStore.readStream(streamName(apiKey, apiKeyStreamId(keyHash)))) {
        for (const event of batch) state = evolve(apiKey, state, event);
      }
      // The name of the stream has only half of the hash, so the whole hash is compared.
      if (state.status !== 'active' || state.hash !== keyHash) return null;
      const { workspaceId, keyId, isReadOnly } = state;
      return { workspaceId, keyId, isReadOnly };
    },
  };
}
