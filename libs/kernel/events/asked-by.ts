import type { EventMetadata } from '../ports/event-store.port.js';

/** The API key whose request wrote an event; null for every other writer. */
export const apiKeyOf = ({ metadata }: { readonly metadata: EventMetadata }): number | null =>
  metadata['actorKind'] === 'apiKey' ? Number(metadata['actorId']) : null;
