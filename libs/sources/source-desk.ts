import { setTimeout as delay } from 'node:timers/promises';
import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { NetworkStore } from '#network/network-store.js';
import type { Outbound } from '#outbound/outbound.js';
import { parseThread } from './parse-thread.js';
import { politeClient, type PoliteClient } from './polite-client.js';
import { readSource } from './read-source.js';
import type { ParseOf, SourceKind, SourceReading } from './source-kind.js';
import { refsOfNames } from './source-subject.js';
import { sourcePolls, type SourcePolls, type SourcePollsParts } from './source-polls.js';

export type SourceDeskParts = {
  /** The contact for providers; null: nothing is read. */
  readonly contact: string | null;
  readonly outbound: Outbound;
  readonly network: NetworkStore;
  readonly readModels: ReadModels;
  readonly commands: Commands;
  readonly holder: string;
  readonly now: () => Date;
  readonly hasSeveralWorkspaces: SourcePollsParts['hasSeveralWorkspaces'];
  readonly watch: SourcePollsParts['watch'];
  readonly onPolled: SourcePollsParts['onPolled'];
  readonly onTrouble: (what: string, error: unknown) => void;
};

/** The operations of one process on sources. */
export type SourceDesk = SourcePolls & {
  readonly contact: string | null;
  readonly hasSeveralWorkspaces: SourcePollsParts['hasSeveralWorkspaces'];
  /** Reads a source without storing anything. */
  readonly read: (kind: SourceKind, of: ParseOf) => Promise<SourceReading>;
};

const nowMs = (): number => Date.now();

/** The polls of this process, and readings on request of operators, with one polite client. */
export function sourceDesk(parts: SourceDeskParts): SourceDesk {
  const { contact, outbound, network, onTrouble } = parts;
  const client: PoliteClient =
    contact === null
      ? nobody
      : politeClient({
          outbound,
          polls: network.polls,
          contact,
          nowMs,
          pause: async (ms, signal) => void (await delay(ms, undefined, { signal })),
        });
  const thread = parseThread();
  const { parse } = thread;
  const polls = sourcePolls({
    ...parts,
    client,
    // Without a contact no provider is asked.
    mayAsk: contact !== null,
    parse,
    nowMs,
    random: Math.random,
    onError: (source, error) => onTrouble(source === null ? 'sources' : `source ${source.id}`, error),
  });
  return {
    ...polls,
    contact,
    hasSeveralWorkspaces: parts.hasSeveralWorkspaces,
    async stop() {
      await polls.stop();
      await thread.close();
    },
    read: (kind, of) =>
      readSource(kind, of, {
        client,
        parse,
        validators: null,
        known: [],
        readsKnownAgain: false,
        signal: new AbortController().signal,
        nowMs,
        onRequest: () => undefined,
        onBytes: () => undefined,
        refsOf: (names) => refsOfNames(network, names),
      }),
  };
}

const nobody: PoliteClient = {
  get: async () => ({ outcome: 'failed', why: 'SOURCE_CONTACT is not set', notBeforeMs: 0 }),
};
