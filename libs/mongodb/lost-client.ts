import type { MongoClient } from 'mongodb';

/** Used if the connection string sets no time limit for connections. */
const LONGEST_QUESTION_MS = 30_000;

/**
 * Whether a client would never detect that its server is back and must be replaced. The driver (7.8.0) has two such
 * states:
 * - It sends heartbeats to each server. If the connection ends between a heartbeat and the wait for its answer, the
 *   driver waits without end and treats the server as lost.
 * - A client whose first call found no server closes its topology, and each later call fails with "Topology is
 *   closed". This happens to a client that replaced another one while the server was away.
 */
export function lossOf(client: MongoClient): () => boolean {
  const { heartbeatFrequencyMS, connectTimeoutMS } = client.options;
  // An answer takes at most the sum of both limits; a connection may have no limit, a heartbeat must have one.
  const longestMs = 2 * (heartbeatFrequencyMS + (connectTimeoutMS || LONGEST_QUESTION_MS));
  const askedAt = new Map<string, number>();
  let isClosed = false;
  client.on('serverHeartbeatStarted', ({ connectionId }) => askedAt.set(connectionId, performance.now()));
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => askedAt.delete(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => askedAt.delete(connectionId));
  client.on('topologyClosed', () => (isClosed = true));
  return () => isClosed || [...askedAt.values()].some((at) => performance.now() - at > longestMs);
}
