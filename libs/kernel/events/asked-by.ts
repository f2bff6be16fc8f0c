import type { EventMetadata } from '../ports/event-store.port.js';

/** The API key whose request wrote an event; null where somebody else did. */
export const apiKeyOf = ({ metadata }: { readonly metadata: EventMetadata }): number | null =>
  metadata['actorKind'] === 'apiKey' ? Number(metadata['actorId']) : null;
