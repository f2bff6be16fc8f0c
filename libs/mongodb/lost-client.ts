import type { MongoClient } from 'mongodb';

/** Where a connection string lets connections wait for ever. */
const LONGEST_QUESTION_MS = 30_000;

/**
 * Tells whether a client would never notice that its server is back, so that a new one must take its place. The
 * driver (7.8.0) has two such ways:
 * - It asks each server from time to time how it is, and where the connection ends in the moment between the
 *   question and the waiting for an answer, it waits for ever and takes the server for gone.
 * - A client whose first call found no server closes what it would look for one with, and each later call ends
 *   with "Topology is closed": so it is for a client that took the place of another while the server was away.
 */
export function lossOf(client: MongoClient): () => boolean {
  const { heartbeatFrequencyMS, connectTimeoutMS } = client.options;
  // An answer takes as long as both at most; a connection may wait without a bound, a question may not.
  const longestMs = 2 * (heartbeatFrequencyMS + (connectTimeoutMS || LONGEST_QUESTION_MS));
  const askedAt = new Map<string, number>();
  let isClosed = false;
  client.on('serverHeartbeatStarted', ({ connectionId }) => askedAt.set(connectionId, performance.now()));
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => askedAt.delete(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => askedAt.delete(connectionId));
  client.on('topologyClosed', () => (isClosed = true));
  return () => isClosed || [...askedAt.values()].some((at) => performance.now() - at > longestMs);
}
