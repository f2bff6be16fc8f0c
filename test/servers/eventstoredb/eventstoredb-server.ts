import { randomUUID } from 'node:crypto';
import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type StatusObject,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { append, batchAppend } from './appending.js';
import { openEventLog, proposed, type EventLog } from './event-log.js';
import { noFaults, type Faults } from './faults.js';
import { read } from './reading.js';
import type { SeenAppend, SeenSubscription, ServerState } from './server-state.js';
import { errors } from './wire.js';

export type EventStoreDbServer = Disposable & {
  /** Connection string for the client. */
  readonly url: string;
  readonly discoverUrl: string;
  readonly port: number;
  readonly log: EventLog;
  readonly faults: Faults;
  readonly seenAppends: readonly SeenAppend[];
  readonly seenSubscriptions: readonly SeenSubscription[];
  readonly seenCredentials: readonly string[];
  readonly traffic: Readonly<ServerState['traffic']>;
  /** Ends every connection at once and frees the port; the log stays. */
  readonly stop: () => void;
};

export type StartEventStoreDbServer = {
  /** Folder of the log; in memory without it. */
  readonly folder?: string;
  readonly port?: number;
  readonly faults?: Faults;
  /** Continues with the log of a server that was stopped. */
  readonly log?: EventLog;
  /** The effect of a kill: by default it drops all connections and serves again after `stop`. */
  readonly kill?: () => void;
};

/**
 * A single insecure EventStoreDB node, limited to the calls of this product: behaviour of 23.10 as observed and as in
 * its sources, with faults that can be switched on.
 */
export async function startEventStoreDbServer(
  options: StartEventStoreDbServer = {},
): Promise<EventStoreDbServer> {
  const log = options.log ?? openEventLog(options.folder ?? null);
  const faults = options.faults ?? noFaults();
  const server = new Server({ 'grpc.max_receive_message_length': 20 << 20 });
  const leader = { host: '127.0.0.1', port: 0 };
  const waiting: (() => void)[] = [];
  const stop = (): void => {
    server.forceShutdown();
    if (options.folder !== undefined) log.close();
  };
  const state: ServerState = {
    log,
    faults,
    leader,
    seenAppends: [],
    seenSubscriptions: [],
    seenCredentials: [],
    traffic: { subscriptions: 0, reads: 0, sentEvents: 0, checkpoints: 0 },
    whenCommitted: (then) => {
      // All writes of one turn go to the disk together.
      if (waiting.push(then) > 1) return;
      setImmediate(() => {
        const thens = waiting.splice(0);
        log.commit();
        for (const answer of thens) answer();
      });
    },
    kill: options.kill ?? stop,
  };
  const add = (definition: unknown, implementation: UntypedServiceImplementation): void =>
    server.addService(definition as ServiceDefinition, implementation);
  add(streamServices.StreamsService, {
    read: (call: Parameters<typeof read>[1]) => void read(state, call),
    append: (...call: Tail<Parameters<typeof append>>) => append(state, ...call),
    batchAppend: (call: Parameters<typeof batchAppend>[1]) => batchAppend(state, call),
    delete: removal(state, (stream) => {
      const metadata = log.stream(`$$${stream}`).at(-1)?.revision;
      const cut = proposed('$metadata', '{"$tb":9223372036854775807}');
      log.write(`$$${stream}`, metadata ?? 'no-stream', [cut]);
      return new streams.DeleteResp().setNoPosition(new shared.Empty());
    }),
    tombstone: removal(state, (stream) => {
      log.write(stream, 'any', [proposed('$streamDeleted', '')]);
      return new streams.TombstoneResp().setNoPosition(new shared.Empty());
    }),
  });
  add(featureServices.ServerFeaturesService, {
    getSupportedMethods: (_: unknown, callback: (error: null, answer: unknown) => void) => {
      const method = new features.SupportedMethod()
        .setServiceName('event_store.client.streams.streams')
        .setMethodName('batchappend')
        .setFeaturesList(['deadline_duration']);
      callback(
        null,
        new features.SupportedMethods().setEventStoreServerVersion('23.10.6').setMethodsList([method]),
      );
    },
  });
  add(gossipServices.GossipService, {
    read: (_: unknown, callback: (error: Partial<StatusObject> | null, answer?: unknown) => void) => {
      if (faults.gossip === 'unreachable') return callback(errors.unavailable());
      const { LEADER, UNKNOWN } = gossip.MemberInfo.VNodeState;
      const member = new gossip.MemberInfo()
        .setInstanceId(new shared.UUID().setString(randomUUID()))
        .setTimeStamp('0')
        .setState(faults.gossip === 'no leader' ? UNKNOWN : LEADER)
        .setIsAlive(true)
        .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(leader.port));
      callback(null, new gossip.ClusterInfo().setMembersList([member]));
    },
  });
  // The server writes into its log itself at each start.
  log.write('$epoch-information', 'any', [
    proposed('$EpochInformation', JSON.stringify({ Epoch: log.all.length })),
  ]);
  log.commit();
  leader.port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${options.port ?? 0}`, ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
  return {
    url: `esdb://127.0.0.1:${leader.port}?tls=false`,
    discoverUrl: `esdb+discover://127.0.0.1:${leader.port}?tls=false&discoveryInterval=5&maxDiscoverAttempts=2`,
    port: leader.port,
    log,
    faults,
    seenAppends: state.seenAppends,
    seenSubscriptions: state.seenSubscriptions,
    seenCredentials: state.seenCredentials,
    traffic: state.traffic,
    stop,
    [Symbol.dispose]: stop,
  };
}

type Tail<Values extends readonly unknown[]> = Values extends [unknown, ...infer Rest] ? Rest : never;

type RemovalRequest = {
  getOptions(): { getStreamIdentifier(): { getStreamName_asU8(): Uint8Array } | undefined } | undefined;
};

function removal(state: ServerState, remove: (stream: string) => unknown) {
  return (
    { request }: { readonly request: RemovalRequest },
    callback: (error: null, answer: unknown) => void,
  ): void => {
    const name = request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array();
    const answer = remove(Buffer.from(name).toString());
    state.whenCommitted(() => callback(null, answer));
  };
}
